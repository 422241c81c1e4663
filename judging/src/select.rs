//! Finding an element by `#id` or `.class`, taking it out and putting it in.

use crate::html::{Element, Node};

/// The way from the root to an element: the place among the children, level by level.
pub(crate) type Path = Vec<usize>;

/// Whether a selector, `#id` or `.class`, is true of an element.
pub(crate) fn matches(selector: &str, element: &Element) -> bool {
    if let Some(id) = selector.strip_prefix('#') {
        return element.attribute("id") == Some(id);
    }
    let class = selector.strip_prefix('.').expect("an id or a class");
    let mut classes = element.attribute("class").unwrap_or("").split(' ');
    classes.any(|known| known == class)
}

/// Where the element is that a selector names.
pub(crate) fn path_of(root: &Element, selector: &str) -> Path {
    find(root, &|element| matches(selector, element))
        .unwrap_or_else(|| panic!("{selector} is not on the page"))
}

/// Where the first element is that a condition is true of.
pub(crate) fn find(root: &Element, condition: &dyn Fn(&Element) -> bool) -> Option<Path> {
    if condition(root) {
        return Some(Path::new());
    }
    root.children.iter().enumerate().find_map(|(place, child)| {
        let Node::Element(element) = child else {
            return None;
        };
        let mut path = find(element, condition)?;
        path.insert(0, place);
        Some(path)
    })
}

/// The element at a path.
pub(crate) fn at<'a>(root: &'a mut Element, path: &[usize]) -> &'a mut Element {
    path.iter()
        .fold(root, |element, place| match &mut element.children[*place] {
            Node::Element(child) => child,
            Node::Text(_) => panic!("paths lead to elements"),
        })
}

/// The element that a selector names.
pub(crate) fn select<'a>(root: &'a mut Element, selector: &str) -> &'a mut Element {
    let path = path_of(root, selector);
    at(root, &path)
}

/// Takes an element out of the tree.
pub(crate) fn take(root: &mut Element, selector: &str) -> Element {
    let path = path_of(root, selector);
    let (place, parent) = path.split_last().expect("the root stays");
    match at(root, parent).children.remove(*place) {
        Node::Element(element) => element,
        Node::Text(_) => unreachable!("paths lead to elements"),
    }
}

/// Puts an element before the one that a selector names.
pub(crate) fn put_before(root: &mut Element, selector: &str, element: Element) {
    let path = path_of(root, selector);
    let (place, parent) = path.split_last().expect("the root stands alone");
    let nodes = [Node::Element(element), Node::Text("\n".to_owned())];
    at(root, parent).children.splice(*place..*place, nodes);
}

/// Where the next sibling of an element is.
pub(crate) fn next_sibling(root: &Element, path: &[usize]) -> Path {
    let (place, parent) = path.split_last().expect("the root stands alone");
    let siblings = &descend(root, parent).children;
    let is_element = |at: &usize| matches!(siblings[*at], Node::Element(_));
    let next = (place + 1..siblings.len()).find(is_element);
    let mut found = parent.to_vec();
    found.push(next.expect("an element that is not the last"));
    found
}

fn descend<'a>(root: &'a Element, path: &[usize]) -> &'a Element {
    path.iter()
        .fold(root, |element, place| match &element.children[*place] {
            Node::Element(child) => child,
            Node::Text(_) => panic!("paths lead to elements"),
        })
}

/// Lets an element and its next sibling change places.
pub(crate) fn swap_with_next(root: &mut Element, selector: &str) {
    let path = path_of(root, selector);
    let next = next_sibling(root, &path);
    let (place, parent) = path.split_last().expect("the root stands alone");
    let last = next[next.len() - 1];
    at(root, parent).children.swap(*place, last);
}
