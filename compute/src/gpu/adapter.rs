//! Finding a graphics adapter.

use wgpu::{
    Adapter, AdapterInfo, Backends, DeviceType, Features, Instance, InstanceDescriptor, Limits,
};

use crate::gpu::chunk::MAX_BINDING_BYTES;

/// Every adapter of the machine that Vulkan knows. OpenGL is left alone: it would take other shaders than those that are
/// tested, and names software a card.
pub(crate) fn all() -> Vec<Adapter> {
    let instance = Instance::new(InstanceDescriptor {
        backends: Backends::VULKAN,
        ..InstanceDescriptor::new_without_display_handle()
    });
    pollster::block_on(instance.enumerate_adapters(Backends::VULKAN))
}

/// A card before a built-in graphics unit, before a virtual one, before software.
pub(crate) fn best(adapters: Vec<Adapter>) -> Option<Adapter> {
    adapters
        .into_iter()
        .min_by_key(|adapter| match adapter.get_info().device_type {
            DeviceType::DiscreteGpu => 0,
            DeviceType::IntegratedGpu => 1,
            DeviceType::VirtualGpu => 2,
            DeviceType::Other => 3,
            DeviceType::Cpu => 4,
        })
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

/// The limits that every adapter worth using has; of what shaders bind more is not asked for, so
/// chunks are the same everywhere.
pub(crate) fn needed_limits(adapter: &Adapter) -> Limits {
    let least = Limits::default();
    let most = adapter.limits().max_buffer_size.min(LARGEST_BUFFER_BYTES);
    Limits {
        max_storage_buffer_binding_size: MAX_BINDING_BYTES,
        max_buffer_size: most.max(least.max_buffer_size),
        ..least
    }
}
