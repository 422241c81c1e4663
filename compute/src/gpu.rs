//! The stages on a graphics adapter: a page is cut into chunks of rows that fit the adapter's
//! limits, each chunk runs through all stages in one submission, and masks, tile summaries and
//! losses come back.

mod adapter;
mod buffers;
mod chunk;
mod pipeline;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::backend::{Backend, BackendReport};
use crate::error::Error;
use crate::gpu::buffers::Buffers;
use crate::gpu::chunk::{Chunk, plan};
use crate::gpu::pipeline::{Pipeline, build_pipelines};
use crate::mask::BitMask;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::stages::Config;

/// How long one chunk may take. A software adapter needs about a second for the largest; beyond
/// this the device hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// An opened adapter with its compiled stages.
#[derive(Debug)]
pub(crate) struct Gpu {
    info: wgpu::AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Vec<Pipeline>,
    health: Arc<Health>,
    /// One comparison at a time: its buffers then bound the graphics memory in use.
    turn: Mutex<()>,
}

/// What the driver told us outside of any call.
#[derive(Debug, Default)]
struct Health {
    lost: AtomicBool,
    /// The first error since it was last taken.
    error: Mutex<Option<String>>,
}

impl Gpu {
    /// Opens the best adapter there is, a software one if need be.
    pub(crate) fn open_any() -> Result<Self, Error> {
        let adapter = adapter::best(adapter::all()).ok_or(Error::NoAdapter)?;
        Self::open(&adapter)
    }

    /// Opens a graphics card; says why not when there is none worth using.
    pub(crate) fn open_hardware() -> Result<Self, String> {
        let adapter = adapter::best(adapter::all()).ok_or("no graphics adapter was found")?;
        let info = adapter.get_info();
        if info.device_type == wgpu::DeviceType::Cpu {
            return Err(format!(
                "only a software adapter was found ({}), which the CPU path outruns",
                info.name
            ));
        }
        Self::open(&adapter).map_err(|error| format!("{} could not be opened: {error}", info.name))
    }

    fn open(adapter: &wgpu::Adapter) -> Result<Self, Error> {
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("pentimento"),
            required_limits: adapter::needed_limits(),
            ..Default::default()
        }))
        .map_err(|error| Error::Gpu(error.to_string()))?;
        let health = Arc::new(Health::default());
        watch(&device, &health);
        let pipelines = build_pipelines(&device);
        let gpu = Self {
            info,
            device,
            queue,
            pipelines,
            health,
            turn: Mutex::new(()),
        };
        gpu.health.check()?;
        Ok(gpu)
    }

    /// Names the adapter and its driver.
    pub(crate) fn report(&self, reason: &str) -> BackendReport {
        let driver = format!("{} {}", self.info.driver, self.info.driver_info);
        BackendReport {
            backend: Backend::Gpu,
            adapter: Some(self.info.name.clone()),
            driver: Some(driver.trim().to_owned()).filter(|driver| !driver.is_empty()),
            reason: reason.to_owned(),
        }
    }

    /// Whether the device is gone for good.
    pub(crate) fn is_lost(&self) -> bool {
        self.health.lost.load(Ordering::Relaxed)
    }

    /// Runs every stage over the parts of the page in which something differs.
    pub(crate) fn measure(&self, pair: &Pair) -> Result<Measured, Error> {
        let mut measured = Measured::nothing(pair);
        let mut doubtful = BitMask::new(pair.size);
        let chunks = plan(pair)?;
        if let Err(error) = self.run_chunks(pair, &chunks, &mut measured, &mut doubtful) {
            // A loss is only told to those who ask.
            let _ = self.device.poll(wgpu::PollType::Poll);
            return Err(error);
        }
        measured.finish(pair, &doubtful);
        Ok(measured)
    }

    /// Holds the adapter for one comparison. Nothing in here may wait for other threads of the
    /// pool: a waiting thread picks up other work, which can be a comparison that wants its turn.
    fn run_chunks(
        &self,
        pair: &Pair,
        chunks: &[Chunk],
        measured: &mut Measured,
        doubtful: &mut BitMask,
    ) -> Result<(), Error> {
        let Some(rows) = chunks.iter().map(Chunk::rows).max() else {
            return Ok(());
        };
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.health.forget();
        let buffers = Buffers::new(&self.device, pair, rows);
        let bind = |stage: &Pipeline| stage.bind(&self.device, &buffers);
        let binds: Vec<_> = self.pipelines.iter().map(bind).collect();
        self.health.check()?;
        for chunk in chunks {
            self.run(pair, chunk, &buffers, &binds)?;
            buffers.collect(pair, chunk, measured, doubtful)?;
        }
        Ok(())
    }

    /// Uploads one chunk, runs all stages, and waits until the results can be read.
    fn run(
        &self,
        pair: &Pair,
        chunk: &Chunk,
        buffers: &Buffers,
        binds: &[wgpu::BindGroup],
    ) -> Result<(), Error> {
        let config = chunk.config(Config::of_page(pair));
        buffers.upload(&self.queue, pair, &config)?;
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (stage, bind) in self.pipelines.iter().zip(binds) {
            stage.encode(&mut encoder, bind, &config);
        }
        buffers.encode_read_back(&mut encoder, &config);
        let submission = self.queue.submit([encoder.finish()]);
        buffers.map();
        let waited = self.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(PATIENCE),
        });
        self.health.check()?;
        if let Err(error) = waited {
            // Whatever still runs on it would meet the next comparison's buffers.
            self.health.lost.store(true, Ordering::Relaxed);
            return Err(Error::Gpu(error.to_string()));
        }
        Ok(())
    }
}

impl Health {
    /// Turns what the driver reported into this call's error.
    fn check(&self) -> Result<(), Error> {
        let reported = self
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match reported {
            Some(message) => Err(Error::Gpu(message)),
            None if self.lost.load(Ordering::Relaxed) => {
                Err(Error::Gpu("the device was lost".into()))
            }
            None => Ok(()),
        }
    }

    /// Drops what an earlier comparison left behind when it gave up.
    fn forget(&self) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    fn note(&self, message: String) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(message);
    }
}

/// Keeps the driver's reports; without this an error would end the process.
fn watch(device: &wgpu::Device, health: &Arc<Health>) {
    let on_error = Arc::clone(health);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        on_error.note(error.to_string());
    }));
    let on_loss = Arc::clone(health);
    device.set_device_lost_callback(move |_, message| {
        on_loss.lost.store(true, Ordering::Relaxed);
        on_loss.note(format!("the device was lost: {message}"));
    });
}

#[cfg(test)]
impl Gpu {
    /// Takes the device away, as a driver reset would.
    pub(crate) fn lose(&self) {
        self.device.destroy();
    }
}
