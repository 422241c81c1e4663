//! How fast the card copies from one of its buffers to another: what the stages are held against, and what keeps it busy before
//! they are timed.

use std::time::{Duration, Instant};

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer, BufferBinding,
    BufferDescriptor, BufferUsages, CommandEncoder, ComputePassDescriptor, ComputePipeline,
    ComputePipelineDescriptor, Device, PipelineCompilationOptions, ShaderModuleDescriptor,
    ShaderSource,
};

use crate::error::Error;
use crate::gpu::Gpu;
use crate::gpu::chunk::MAX_BINDING_BYTES;
use crate::gpu::opened::Opened;
use crate::gpu::timer::Timer;

/// Runs of each copy at least; the shortest counts.
const RUNS: u32 = 5;

/// A card that has nothing to do lowers its clocks, and takes a while of work to raise them; copies by command may not count
/// as work.
const WARM_UP: Duration = Duration::from_millis(300);

/// Bytes that are copied to and fro meanwhile.
const WARM_UP_BYTES: u64 = 16 << 20;

/// Bytes that one workgroup of `shaders/copy.wgsl` copies.
const GROUP_BYTES: u64 = 256 * 4 * 16;

/// How copies are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By a command.
    Command,
    /// By a shader.
    Shader,
}

/// Two buffers, and how one is copied to the other by a shader.
struct Copying {
    before: Buffer,
    after: Buffer,
    pipeline: ComputePipeline,
    bind: BindGroup,
}

impl Copying {
    /// Between new buffers of so many bytes, a multiple of [`GROUP_BYTES`].
    fn new(device: &Device, bytes: u64) -> Self {
        let buffer = || {
            device.create_buffer(&BufferDescriptor {
                label: Some("copied"),
                size: bytes,
                usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST | BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let (before, after) = (buffer(), buffer());
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some("copy"),
            source: ShaderSource::Wgsl(include_str!("../../../shaders/copy.wgsl").into()),
        });
        let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some("copy"),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: PipelineCompilationOptions::default(),
            cache: None,
        });
        let bind = device.create_bind_group(&BindGroupDescriptor {
            label: Some("copy"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[bound(0, &before), bound(1, &after)],
        });
        Self {
            before,
            after,
            pipeline,
            bind,
        }
    }

    /// Bytes that are copied one way or the other.
    fn bytes(&self, way: Way) -> u64 {
        match way {
            Way::Command => self.before.size(),
            // What a shader sees of a buffer.
            Way::Shader => self.before.size().min(MAX_BINDING_BYTES),
        }
    }

    /// Adds a copy to the commands, and when it begins and ends.
    fn encode(&self, encoder: &mut CommandEncoder, way: Way, timer: Option<&Timer>) {
        if let Some(timer) = timer {
            timer.encode_empty(encoder, 0);
        }
        let bytes = self.bytes(way);
        match way {
            Way::Command => {
                encoder.copy_buffer_to_buffer(&self.before, 0, &self.after, 0, bytes);
            }
            Way::Shader => {
                let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
                pass.set_pipeline(&self.pipeline);
                pass.set_bind_group(0, &self.bind, &[]);
                let groups = u32::try_from(bytes / GROUP_BYTES).expect("a binding is small");
                pass.dispatch_workgroups(groups, 1, 1);
            }
        }
        if let Some(timer) = timer {
            timer.encode_empty(encoder, 1);
        }
    }
}

/// As much of a buffer as a shader sees.
fn bound(binding: u32, buffer: &Buffer) -> BindGroupEntry<'_> {
    BindGroupEntry {
        binding,
        resource: BindingResource::Buffer(BufferBinding {
            buffer,
            offset: 0,
            size: buffer.size().min(MAX_BINDING_BYTES).try_into().ok(),
        }),
    }
}

impl Gpu {
    /// Keeps the card busy until its clocks are up.
    pub(crate) fn warm_up(&self) -> Result<(), Error> {
        let start = Instant::now();
        let opened = self.opened()?;
        let copying = Copying::new(&opened.device, WARM_UP_BYTES);
        while start.elapsed() < WARM_UP {
            opened.copied_in(&copying, Way::Shader, Duration::ZERO)?;
        }
        Ok(())
    }

    /// Bytes that the card copies from one of its buffers to another in a second, by a command or by a shader, whichever is
    /// faster: buffers larger than its cache, or as large as it allows and has room for. Each goes on for so long at least: a card
    /// takes a while to raise its clocks.
    pub(crate) fn copy_bandwidth(&self, bytes: u64, lasting: Duration) -> Result<f64, Error> {
        let opened = self.opened()?;
        let mut bytes = bytes.min(opened.device.limits().max_buffer_size);
        loop {
            match opened.copied_per_s(bytes, lasting) {
                Err(_) if bytes > WARM_UP_BYTES && !self.is_lost() => bytes /= 2,
                copied => return copied,
            }
        }
    }
}

impl Opened {
    fn copied_per_s(&self, bytes: u64, lasting: Duration) -> Result<f64, Error> {
        let copying = Copying::new(&self.device, bytes / GROUP_BYTES * GROUP_BYTES);
        self.health.check()?;
        let per_s = |way: Way| {
            let seconds = self.copied_in(&copying, way, lasting)?;
            Ok::<f64, Error>(copying.bytes(way) as f64 / seconds)
        };
        Ok(per_s(Way::Command)?.max(per_s(Way::Shader)?))
    }

    /// Seconds of a copy, the shortest of some: by the card's clock when it has one.
    fn copied_in(&self, copying: &Copying, way: Way, lasting: Duration) -> Result<f64, Error> {
        let timer = self.timer(2);
        let mut shortest = f64::INFINITY;
        let (start, mut runs) = (Instant::now(), 0);
        // The first run clears the buffers, too.
        while runs <= RUNS || start.elapsed() < lasting {
            runs += 1;
            let wall_s = self.timed(timer.as_ref(), |encoder| {
                copying.encode(encoder, way, timer.as_ref());
            })?;
            let by_card = timer.as_ref().and_then(|timer| self.times(timer));
            shortest = shortest.min(by_card.map_or(wall_s, |times| times[2] - times[1]));
        }
        Ok(shortest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_copy_everything() {
        let gpu = Gpu::open_any().expect("no adapter to test on");
        let opened = gpu.opened().unwrap();
        let bytes = 3 * GROUP_BYTES;
        for way in [Way::Command, Way::Shader] {
            let copying = Copying::new(&opened.device, bytes);
            let pattern: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
            (opened.queue).write_buffer(&copying.before, 0, &pattern);
            let read_back = opened.device.create_buffer(&BufferDescriptor {
                label: Some("read back"),
                size: bytes,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let wall_s = opened.timed(None, |encoder| {
                copying.encode(encoder, way, None);
                encoder.copy_buffer_to_buffer(&copying.after, 0, &read_back, 0, bytes);
            });
            assert!(wall_s.unwrap() > 0.0);
            read_back.map_async(wgpu::MapMode::Read, .., |_| {});
            opened.timed(None, |_| {}).unwrap();
            assert!(*read_back.get_mapped_range(..).unwrap() == *pattern);
        }
        assert!(gpu.copy_bandwidth(8 << 20, Duration::ZERO).unwrap() > 1e6);
    }
}
