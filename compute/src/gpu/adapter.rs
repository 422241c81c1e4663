//! Finding a graphics adapter.

use wgpu::{
    Adapter, AdapterInfo, Backends, DeviceType, Features, Instance, InstanceDescriptor, Limits,
};

use crate::error::Error;
use crate::gpu::chunk::MAX_BINDING_BYTES;
use crate::stages::{Access, STAGES, Stage};

/// Adapters that are tried at most: each may take its time.
const MOST_TRIED: usize = 4;

/// Every adapter of the machine that Vulkan knows. OpenGL is left alone: it would take other shaders than those that are
/// tested, and names software a card.
pub(crate) fn all() -> Vec<Adapter> {
    let instance = Instance::new(InstanceDescriptor {
        backends: Backends::VULKAN,
        ..InstanceDescriptor::new_without_display_handle()
    });
    pollster::block_on(instance.enumerate_adapters(Backends::VULKAN))
}

/// The adapters that are worth trying, the best first. Software is worth it only where there is nothing else: it runs on the
/// processor, whose own path is faster.
pub(crate) fn candidates() -> Vec<Adapter> {
    ranked(all(), |adapter| adapter.get_info().device_type)
}

/// The first adapter whose name has this in it, software too, whatever its case; best ones first.
pub(crate) fn named(wanted: &str) -> Result<Adapter, Error> {
    let kind = |adapter: &Adapter| adapter.get_info().device_type;
    find_named(by_rank(all(), kind), wanted, |adapter| {
        adapter.get_info().name
    })
}

fn find_named<T>(adapters: Vec<T>, wanted: &str, name: impl Fn(&T) -> String) -> Result<T, Error> {
    let there: Vec<String> = adapters.iter().map(name).collect();
    if there.is_empty() {
        return Err(Error::NoAdapter);
    }
    let is_wanted = |name: &String| name.to_lowercase().contains(&wanted.to_lowercase());
    let at = there.iter().position(is_wanted);
    let found = at.and_then(|at| adapters.into_iter().nth(at));
    found.ok_or_else(|| Error::NoSuchAdapter {
        wanted: wanted.to_owned(),
        there,
    })
}

/// The candidates where they are graphics cards; why there are none.
pub(crate) fn hardware() -> Result<Vec<Adapter>, String> {
    let candidates = candidates();
    let best = candidates.first().map(Adapter::get_info);
    match best {
        None => Err("no graphics adapter was found".into()),
        Some(info) if is_software(&info) => Err(format!(
            "only a software adapter was found ({}), which the CPU path outruns",
            info.name
        )),
        Some(_) => Ok(candidates),
    }
}

fn ranked<T>(adapters: Vec<T>, kind: impl Fn(&T) -> DeviceType) -> Vec<T> {
    let mut adapters = by_rank(adapters, &kind);
    let is_software = |adapter: &T| kind(adapter) == DeviceType::Cpu;
    if adapters.first().is_some_and(|best| !is_software(best)) {
        adapters.retain(|adapter| !is_software(adapter));
    }
    adapters.truncate(MOST_TRIED);
    adapters
}

/// A card before a built-in graphics unit, before a virtual one, before software; of the same kind in the order in which the driver
/// names them.
fn by_rank<T>(mut adapters: Vec<T>, kind: impl Fn(&T) -> DeviceType) -> Vec<T> {
    adapters.sort_by_key(|adapter| match kind(adapter) {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    });
    adapters
}

/// Whether the processor does the work of a card.
pub(crate) fn is_software(adapter: &AdapterInfo) -> bool {
    adapter.device_type == DeviceType::Cpu
}

/// What is used when the adapter has it: its clock, for the check program.
pub(crate) fn wanted_features(adapter: &Adapter) -> Features {
    adapter.features() & Features::TIMESTAMP_QUERY
}

/// Bytes of the largest buffer that is asked for where the adapter has it: no shader binds it. The
/// check program copies it, and no card's cache holds it.
pub(crate) const LARGEST_BUFFER_BYTES: u64 = 512 << 20;

/// The limits that every adapter worth using has, of one that has these; of what shaders bind more is not asked for, so chunks are
/// the same everywhere. Beyond what the least of adapters have only what some stage uses is.
pub(crate) fn needed_limits(had: &Limits) -> Limits {
    let least = Limits::downlevel_defaults();
    let most = had.max_buffer_size.min(LARGEST_BUFFER_BYTES);
    Limits {
        max_storage_buffers_per_shader_stage: most_storage_buffers(),
        max_storage_buffer_binding_size: MAX_BINDING_BYTES,
        max_buffer_size: most.max(least.max_buffer_size),
        ..least
    }
}

/// What an adapter with these limits lacks, if it lacks anything: it never will have it.
pub(crate) fn lacks(had: &Limits) -> Option<String> {
    let mut lacking = Vec::new();
    needed_limits(had).check_limits_with_fail_fn(had, false, |limit, needed, has| {
        lacking.push(format!("{limit} is {has} and has to be {needed}"));
    });
    (!lacking.is_empty()).then(|| lacking.join(", "))
}

/// Storage buffers that any stage binds at most.
fn most_storage_buffers() -> u32 {
    let of = |stage: &Stage| {
        let stored = stage.bindings.iter();
        let stored = stored.filter(|(_, access)| !matches!(access, Access::Uniform));
        stored.count()
    };
    let most = STAGES.iter().map(of).max().unwrap_or(0);
    u32::try_from(most).expect("stages bind few buffers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_needs_what_stages_use_and_no_more() {
        let modest = Limits {
            max_storage_buffers_per_shader_stage: 7,
            ..Limits::downlevel_defaults()
        };
        assert_eq!(lacks(&modest), None);
        let less = Limits {
            max_storage_buffers_per_shader_stage: 6,
            max_storage_buffer_binding_size: MAX_BINDING_BYTES - 1,
            ..modest
        };
        let lacks = lacks(&less).unwrap();
        for limit in ["per_shader_stage is 6 and has to be 7", "binding_size is"] {
            assert!(lacks.contains(limit), "{lacks}");
        }
    }

    #[test]
    fn an_adapter_is_found_by_a_part_of_its_name() {
        let find = |all: &[&str], wanted: &str| {
            let all = all.iter().map(|&name| name.to_owned()).collect();
            find_named(all, wanted, String::clone)
        };
        let two = ["NVIDIA H200", "llvmpipe (LLVM 15)"];
        assert_eq!(find(&two, "LLVM").unwrap(), two[1]);
        assert_eq!(find(&two, "h2").unwrap(), two[0]);
        let unknown = find(&two, "radeon").unwrap_err().to_string();
        for part in ["\"radeon\"", two[0], two[1]] {
            assert!(unknown.contains(part), "{unknown}");
        }
        assert!(matches!(find(&[], "h2"), Err(Error::NoAdapter)));
    }

    #[test]
    fn the_best_adapters_are_tried_and_software_only_when_there_is_nothing_else() {
        let found = |all: &[DeviceType]| ranked(all.to_vec(), |&kind| kind);
        let (card, unit) = (DeviceType::DiscreteGpu, DeviceType::IntegratedGpu);
        let software = DeviceType::Cpu;
        assert_eq!(found(&[]), []);
        assert_eq!(found(&[software]), [software]);
        assert_eq!(found(&[software, unit, card]), [card, unit]);
        assert_eq!(found(&[card; 9]), [card; MOST_TRIED]);
        let numbered = ranked(vec![(unit, 1), (card, 2), (unit, 3)], |&(kind, _)| kind);
        assert_eq!(numbered, [(card, 2), (unit, 1), (unit, 3)]);
    }
}
