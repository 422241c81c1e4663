//! Compiled stages, made from the stage table.

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindGroupLayoutDescriptor,
    BindGroupLayoutEntry, BindingType, Buffer, BufferBindingType, CommandEncoder,
    ComputePassDescriptor, ComputePipeline, ComputePipelineDescriptor, Device,
    PipelineCompilationOptions, PipelineLayoutDescriptor, ShaderModuleDescriptor, ShaderSource,
    ShaderStages,
};

use crate::gpu::timer::Timer;
use crate::stages::{Access, Config, Resource, STAGES, Stage};

/// A stage ready to run.
#[derive(Debug)]
pub(crate) struct Pipeline {
    stage: &'static Stage,
    layout: BindGroupLayout,
    compiled: ComputePipeline,
}

/// Compiles every stage.
pub(crate) fn build_pipelines(device: &Device) -> Vec<Pipeline> {
    static TABLE: [Stage; STAGES.len()] = STAGES;
    TABLE
        .iter()
        .map(|stage| Pipeline::new(device, stage))
        .collect()
}

impl Pipeline {
    fn new(device: &Device, stage: &'static Stage) -> Self {
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some(stage.name),
            source: ShaderSource::Wgsl(stage.source.into()),
        });
        let entries: Vec<_> = (0..)
            .zip(stage.bindings)
            .map(|(binding, &(_, access))| layout_entry(binding, access))
            .collect();
        let layout = device.create_bind_group_layout(&BindGroupLayoutDescriptor {
            label: Some(stage.name),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: Some(stage.name),
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let compiled = device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(stage.name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: PipelineCompilationOptions {
                // Shaders write whatever they read there.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Self {
            stage,
            layout,
            compiled,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.stage.name
    }

    /// Ties the stage to buffers.
    pub(crate) fn bind<'b>(
        &self,
        device: &Device,
        buffer_of: impl Fn(Resource) -> &'b Buffer,
    ) -> BindGroup {
        let entries: Vec<_> = (0..)
            .zip(self.stage.bindings)
            .map(|(binding, &(resource, _))| BindGroupEntry {
                binding,
                resource: buffer_of(resource).as_entire_binding(),
            })
            .collect();
        device.create_bind_group(&BindGroupDescriptor {
            label: Some(self.stage.name),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Adds the stage's run over a batch to the commands.
    pub(crate) fn encode(
        &self,
        encoder: &mut CommandEncoder,
        bind: &BindGroup,
        config: &Config,
        timer: Option<(&Timer, u32)>,
    ) {
        let [columns, rows] = self.stage.workgroups(config);
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
            label: Some(self.stage.name),
            timestamp_writes: timer.map(|(timer, at)| timer.writes(at)),
        });
        if columns > 0 {
            pass.set_pipeline(&self.compiled);
            pass.set_bind_group(0, bind, &[]);
            pass.dispatch_workgroups(columns, rows, 1);
        }
    }
}

fn layout_entry(binding: u32, access: Access) -> BindGroupLayoutEntry {
    let ty = match access {
        Access::Uniform => BufferBindingType::Uniform,
        Access::Read => BufferBindingType::Storage { read_only: true },
        Access::Write => BufferBindingType::Storage { read_only: false },
    };
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}
