//! Every shader is valid and agrees with the Rust side on layout, bindings, workgroups and
//! constants.

use std::mem::{offset_of, size_of};

use naga::front::wgsl::parse_str;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Literal, Module, StorageAccess, TypeInner};

use crate::mask::WORD_BITS;
use crate::metric::{BRIGHTNESS, RANK_SHIFT, SUM_SHIFT};
use crate::score::{LUMA_ONE, RADIUS, WINDOW, weights};
use crate::stages::{
    Access, BLOCKS_PER_GROUP, Config, Job, MAX_GROUPS, NONE, Place, RGB_WORDS, RGBA_WORDS,
    ROW_SEAM, ROW_SHARED, STAGES, Stage,
};
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
    let mut config = offsets!(Config, blocks, stacks);
    let coefficients = u32::try_from(offset_of!(Config, coefficients)).unwrap();
    let names = ["rr", "gg", "bb", "rg", "rb", "gb"];
    config.extend(
        (0..)
            .zip(names)
            .map(|(index, name)| (name.to_owned(), coefficients + 4 * index)),
    );
    config.extend(offsets!(Config, ssim_c1, ssim_c2, pad_0, pad_1));
    let job = offsets!(
        Job,
        width,
        height,
        first_row,
        rows,
        words_per_row,
        shared_columns,
        pixel_words,
        baseline_at,
        current_at,
        row_flags_at,
        ignored_at,
        threshold_low,
        threshold_high,
        keep_anti_aliased,
        pad_0,
        pad_1,
    );
    let place = offsets!(Place, job, column, row, count);
    for stage in &STAGES {
        let (module, _) = validated(stage);
        for (name, expected, size) in [
            ("Config", &config, size_of::<Config>()),
            ("Job", &job, size_of::<Job>()),
            ("Place", &place, size_of::<Place>()),
        ] {
            let (members, span) = layout(&module, name).unwrap();
            assert_eq!(&members, expected, "{}", stage.name);
            assert_eq!(span as usize, size, "{}", stage.name);
        }
    }
}

#[test]
fn tiles_have_the_same_layout() {
    let expected = offsets!(
        Tile, changed, delta_sum, delta_max, left, top, right, bottom
    );
    let found: Vec<_> = STAGES
        .iter()
        .filter_map(|stage| Some((stage.name, layout(&validated(stage).0, "Tile")?)))
        .collect();
    assert_eq!(
        found,
        [(
            "tiles",
            (expected, u32::try_from(size_of::<Tile>()).unwrap())
        )]
    );
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
    let span = WORD_BITS + 2 * RADIUS;
    let expected = [
        ("TILE", i64::from(TILE)),
        ("WORD_BITS", i64::from(WORD_BITS)),
        ("LUMA_ONE", i64::from(LUMA_ONE)),
        ("SUM_SHIFT", i64::from(SUM_SHIFT)),
        ("RADIUS", i64::from(RADIUS)),
        ("WINDOW", i64::from(window)),
        ("SPAN", i64::from(span)),
        ("SPAN_PIXELS", i64::from(span * 8)),
        ("KEPT", i64::from(8 + 2 * RADIUS)),
        ("MOMENTS_END", i64::from((8 + 2 * RADIUS) * (WORD_BITS + 1))),
        ("MAX_GROUPS", i64::from(MAX_GROUPS)),
        ("RGB_WORDS", i64::from(RGB_WORDS)),
        ("RGBA_WORDS", i64::from(RGBA_WORDS)),
        ("NONE", i64::from(NONE)),
        ("ROW_SHARED", i64::from(ROW_SHARED)),
        ("ROW_SEAM", i64::from(ROW_SEAM)),
        ("BLOCKS_PER_GROUP", i64::from(BLOCKS_PER_GROUP)),
        ("TILES_PER_BLOCK", i64::from(WORD_BITS / TILE)),
        ("RANK_SHIFT", i64::from(RANK_SHIFT)),
        ("AREA_WIDTH", i64::from(WORD_BITS + 4)),
        ("AREA_PIXELS", i64::from((WORD_BITS + 4) * (TILE + 4))),
        ("SPAN_QUADS", i64::from(8 * (span + 6) / 4)),
        ("AREA_QUADS", i64::from(10 * (TILE + 4))),
        ("INNER_WIDTH", i64::from(WORD_BITS + 2)),
        ("INNER_THREES", i64::from((WORD_BITS + 2) * (TILE + 2) / 3)),
    ];
    for stage in &STAGES {
        let (module, _) = validated(stage);
        let shared = ["TILE", "WORD_BITS", "MAX_GROUPS", "RGBA_WORDS"];
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

/// The shader's two parts of each weight are the weight.
#[test]
fn brightness_has_the_same_weights() {
    let stage = STAGES
        .iter()
        .find(|stage| stage.name == "antialias")
        .unwrap();
    let parts = |name: &str| -> Vec<i64> {
        let (_, rest) = stage
            .source
            .split_once(&format!("const {name}: vec3<i32> = vec3<i32>("))
            .unwrap();
        let (numbers, _) = rest.split_once(')').unwrap();
        numbers
            .split(", ")
            .map(|number| number.parse().unwrap())
            .collect()
    };
    let joined: Vec<i64> = (parts("RANK_HIGH").iter())
        .zip(parts("RANK_LOW"))
        .map(|(high, low)| (high << RANK_SHIFT) + low)
        .collect();
    assert_eq!(joined, BRIGHTNESS);
}

/// The shader has one half of the window's weights, to the last digit that 32 bits hold.
#[test]
fn windows_have_the_same_weights() {
    let stage = STAGES.iter().find(|stage| stage.name == "ssim").unwrap();
    let (module, _) = validated(stage);
    for (tap, weight) in weights().into_iter().enumerate() {
        let name = format!("W{}", tap.min(WINDOW - 1 - tap));
        let found = (module.constants.iter())
            .find(|(_, constant)| constant.name.as_deref() == Some(&name))
            .map(|(_, constant)| &module.global_expressions[constant.init]);
        let Some(Expression::Literal(Literal::F32(found))) = found else {
            panic!("{name} is {found:?}")
        };
        assert!((f64::from(*found) / weight - 1.0).abs() < 6e-8, "{name}");
    }
}
