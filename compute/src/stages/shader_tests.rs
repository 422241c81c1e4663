//! Every shader is valid and agrees with the Rust side on layout, bindings, workgroups and
//! constants.

use std::mem::{offset_of, size_of};

use naga::front::wgsl::parse_str;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Literal, Module, StorageAccess, TypeInner};

use crate::mask::WORD_BITS;
use crate::metric::SUM_SHIFT;
use crate::score::{LUMA_ONE, RADIUS, WINDOW};
use crate::stages::{Access, Config, STAGES, Stage};
use crate::tile::{TILE, Tile};

fn validated(stage: &Stage) -> (Module, ModuleInfo) {
    let module = parse_str(stage.source)
        .unwrap_or_else(|error| panic!("{}: {}", stage.name, error.emit_to_string(stage.source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}: {}", stage.name, error.emit_to_string(stage.source)));
    (module, info)
}

/// Names, offsets and the whole size of a struct.
fn layout(module: &Module, name: &str) -> Option<(Vec<(String, u32)>, u32)> {
    module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
        .map(|(_, ty)| match &ty.inner {
            TypeInner::Struct { members, span } => (
                members
                    .iter()
                    .map(|member| (member.name.clone().unwrap_or_default(), member.offset))
                    .collect(),
                *span,
            ),
            other => panic!("{name} is no struct but {other:?}"),
        })
}

macro_rules! offsets {
    ($type:ty, $($field:ident),+ $(,)?) => {
        vec![$((stringify!($field).to_owned(), u32::try_from(offset_of!($type, $field)).unwrap())),+]
    };
}

#[test]
fn settings_have_the_same_layout() {
    let mut expected = offsets!(
        Config,
        width,
        height,
        first_row,
        rows,
        words_per_row,
        tiles_per_row,
        core_first,
        core_rows,
        has_ignored,
        threshold_low,
        threshold_high,
    );
    let coefficients = u32::try_from(offset_of!(Config, coefficients)).unwrap();
    let names = ["rr", "gg", "bb", "rg", "rb", "gb"];
    expected.extend(
        (0..)
            .zip(names)
            .map(|(index, name)| (name.to_owned(), coefficients + 4 * index)),
    );
    expected.extend(offsets!(Config, ssim_c1, ssim_c2, pad, weights));
    for stage in &STAGES {
        let (module, _) = validated(stage);
        let (members, span) = layout(&module, "Config").unwrap();
        assert_eq!(members, expected, "{}", stage.name);
        assert_eq!(span as usize, size_of::<Config>(), "{}", stage.name);
    }
}

#[test]
fn tiles_have_the_same_layout() {
    let expected = offsets!(
        Tile, changed, differing, delta_sum, delta_max, left, top, right, bottom
    );
    let found: Vec<_> = STAGES
        .iter()
        .filter_map(|stage| Some((stage.name, layout(&validated(stage).0, "Tile")?)))
        .collect();
    assert_eq!(
        found.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["tiles", "ssim"]
    );
    for (name, (members, span)) in found {
        assert_eq!(
            (members, span as usize),
            (expected.clone(), size_of::<Tile>()),
            "{name}"
        );
    }
}

#[test]
fn bindings_are_those_of_the_table() {
    for stage in &STAGES {
        let (module, info) = validated(stage);
        let mut bound = vec![None; stage.bindings.len()];
        for (handle, variable) in module.global_variables.iter() {
            let Some(binding) = &variable.binding else {
                continue;
            };
            assert_eq!(binding.group, 0, "{}", stage.name);
            let used = !info.get_entry_point(0)[handle].is_empty();
            assert!(
                used,
                "{} declares {:?} but never uses it",
                stage.name, variable.name
            );
            bound[binding.binding as usize] = Some(match variable.space {
                AddressSpace::Uniform => Access::Uniform,
                AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                    Access::Write
                }
                AddressSpace::Storage { .. } => Access::Read,
                other => panic!("{}: {other:?}", stage.name),
            });
        }
        let expected: Vec<_> = stage
            .bindings
            .iter()
            .map(|&(_, access)| Some(access))
            .collect();
        assert_eq!(bound, expected, "{}", stage.name);
    }
}

#[test]
fn workgroups_are_those_of_the_table() {
    for stage in &STAGES {
        let (module, _) = validated(stage);
        let [entry] = module.entry_points.as_slice() else {
            panic!("{} has one entry point", stage.name)
        };
        let [x, y] = stage.workgroup;
        assert_eq!(
            (entry.name.as_str(), entry.workgroup_size),
            ("main", [x, y, 1]),
            "{}",
            stage.name
        );
        assert!(x * y <= 256, "{}: what every adapter allows", stage.name);
    }
}

#[test]
fn constants_are_the_same_on_both_sides() {
    let window = u32::try_from(WINDOW).unwrap();
    let span = TILE + 2 * RADIUS;
    let expected = [
        ("TILE", i64::from(TILE)),
        ("WORD_BITS", i64::from(WORD_BITS)),
        ("LUMA_ONE", i64::from(LUMA_ONE)),
        ("SUM_SHIFT", i64::from(SUM_SHIFT)),
        ("RADIUS", i64::from(RADIUS)),
        ("WINDOW", i64::from(window)),
        ("SPAN", i64::from(span)),
        ("SPAN_PIXELS", i64::from(span * span)),
        ("SPAN_ROWS", i64::from(span * TILE)),
    ];
    for stage in &STAGES {
        let (module, _) = validated(stage);
        let shared = ["TILE", "WORD_BITS", "LUMA_ONE", "SUM_SHIFT"];
        let found = |name: &str| {
            module
                .constants
                .iter()
                .any(|(_, constant)| constant.name.as_deref() == Some(name))
        };
        assert!(shared.iter().all(|name| found(name)), "{}", stage.name);
        for (_, constant) in module.constants.iter() {
            let Some((name, value)) = expected
                .iter()
                .find(|(name, _)| constant.name.as_deref() == Some(name))
            else {
                continue;
            };
            let actual = match module.global_expressions[constant.init] {
                Expression::Literal(Literal::U32(actual)) => i64::from(actual),
                Expression::Literal(Literal::I32(actual)) => i64::from(actual),
                ref other => panic!("{}: {name} is {other:?}", stage.name),
            };
            assert_eq!(actual, *value, "{}: {name}", stage.name);
        }
    }
}
