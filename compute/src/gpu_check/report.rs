//! What was found, as a table in Markdown and as JSON.

use std::fmt;

use serde_json::{Value, json};

use super::extent::Extent;
use super::parity_row::ParityRow;
use super::speed::{BatchRow, FillRow, Speed, SpeedRow};

/// Everything that the check found.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the adapter.
    pub adapter: String,
    /// Name and version of its driver.
    pub driver: String,
    /// Discrete, integrated, virtual or software.
    pub kind: &'static str,
    /// Threads that the processor's side used.
    pub cpu_threads: usize,
    /// How much was checked.
    pub extent: Extent,
    /// Both paths on the same pairs.
    pub parity: Vec<ParityRow>,
    /// Figures, or why there are none.
    pub speed: Result<Speed, String>,
}

impl Report {
    /// Whether both paths agreed on every pair, and the adapter did its share of the work.
    pub fn is_right(&self) -> bool {
        self.parity.iter().all(|row| row.flaw().is_none())
    }

    /// One JSON object; times in seconds, rates in bytes or pairs a second.
    pub fn to_json(&self) -> String {
        let mut report = json!({
            "adapter": self.adapter,
            "driver": self.driver,
            "kind": self.kind,
            "cpuThreads": self.cpu_threads,
            "isQuick": self.extent == Extent::Quick,
            "isRight": self.is_right(),
            "parity": self.parity.iter().map(parity_json).collect::<Vec<_>>(),
        });
        match &self.speed {
            Ok(speed) => {
                let copied = speed.copied_bytes_per_s;
                let pages = speed.pages.iter().map(|row| page_json(row, copied));
                report["copiedBytesPerS"] = copied.into();
                report["pages"] = pages.collect();
                report["fills"] = speed.fills.iter().map(fill_json).collect();
                report["batches"] = speed.batches.iter().map(batch_json).collect();
            }
            Err(why) => report["speedError"] = why.as_str().into(),
        }
        format!("{report:#}")
    }
}

fn parity_json(row: &ParityRow) -> Value {
    json!({
        "name": row.name,
        "width": row.size.width,
        "height": row.size.height,
        "changedPixels": row.changed_pixels,
        "antiAliasedPixels": row.anti_aliased_pixels,
        "leftToHost": row.left_to_host,
        "hardPixels": row.hard_pixels,
        "residentRows": row.resident_rows,
        "colorDelta": row.color_delta,
        "antialias": row.antialias,
        "tiles": row.tiles,
        "scoreDifference": row.score_difference,
        "flaw": row.flaw().map(|flaw| flaw.to_string()),
    })
}

fn page_json(row: &SpeedRow, copied_bytes_per_s: f64) -> Value {
    let stages = row.stages_s.as_ref().map(|stages| {
        let stage = |&(name, seconds): &(&str, f64)| {
            let bytes_per_s = row.pixel_bytes as f64 / seconds;
            json!({
                "name": name,
                "seconds": seconds,
                "bytesPerS": bytes_per_s,
                "ofCopying": bytes_per_s / copied_bytes_per_s,
            })
        };
        stages.iter().map(stage).collect::<Vec<_>>()
    });
    json!({
        "name": row.name,
        "width": row.size.width,
        "height": row.size.height,
        "pixelBytes": row.pixel_bytes,
        "planS": row.plan_s,
        "fillS": row.fill_s,
        "sendS": row.send_s,
        "transferS": row.transfer_s,
        "stages": stages,
        "stagesWallS": row.stages_wall_s,
        "kernelBytesPerS": row.kernel_bytes_per_s(),
        "kernelOfCopying": row.kernel_bytes_per_s() / copied_bytes_per_s,
        "collectS": row.collect_s,
        "wholeS": row.whole_s,
        "wholeByTransfer": row.whole_by_transfer(),
        "cpuS": row.cpu_s,
    })
}

fn fill_json(row: &FillRow) -> Value {
    json!({"threads": row.threads, "bytesPerS": row.bytes_per_s})
}

fn batch_json(row: &BatchRow) -> Value {
    json!({
        "name": row.name,
        "width": row.size.width,
        "height": row.size.height,
        "pairs": row.pairs,
        "submissions": row.submissions,
        "gpuPairsPerS": row.gpu_pairs_per_s,
        "cpuPairsPerS": row.cpu_pairs_per_s,
        "gpuFilesPerS": row.gpu_files_per_s,
        "cpuFilesPerS": row.cpu_files_per_s,
    })
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "**{}** ({}), driver {}; {} CPU threads\n",
            self.adapter, self.kind, self.driver, self.cpu_threads
        )?;
        self.write_parity(out)?;
        match &self.speed {
            Ok(speed) => write!(out, "{speed}"),
            Err(why) => writeln!(out, "There are no figures: {why}"),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_pages(out)?;
        self.write_stages(out)?;
        self.write_fills(out)?;
        self.write_batches(out)
    }
}

impl Report {
    fn write_parity(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "| pair | size | changed | anti-aliased | left to host | color_delta | antialias \
             | tiles | ssim off by |\n|---|---|---:|---:|---:|---|---|---|---:|"
        )?;
        let word = |same: bool| if same { "same" } else { "DIFFERS" };
        for row in &self.parity {
            writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1e} |",
                row.name,
                row.size,
                row.changed_pixels,
                row.anti_aliased_pixels,
                row.left_to_host,
                word(row.color_delta),
                word(row.antialias),
                word(row.tiles),
                row.score_difference
            )?;
        }
        if self.is_right() {
            return writeln!(out, "\nBoth paths agree on every pair.\n");
        }
        writeln!(out, "\nTHE ADAPTER IS NOT TO BE TRUSTED:\n")?;
        for row in &self.parity {
            if let Some(flaw) = row.flaw() {
                writeln!(out, "- {} {}: {flaw}", row.name, row.size)?;
            }
        }
        writeln!(out)
    }
}

impl Speed {
    fn write_pages(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let copied = self.copied_bytes_per_s;
        writeln!(
            out,
            "The card copies {:.1} GB/s from buffer to buffer.\n\n\
             | page | size | MB sent | plan ms | fill ms | send ms | transfer ms | kernels ms \
             | collect ms | whole ms | whole/transfer | CPU ms | kernels GB/s | of copying |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            copied / 1e9
        )?;
        for row in &self.pages {
            writeln!(
                out,
                "| {} | {} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} | {:.3} | {:.2} | {:.2} | {:.2} \
                 | {:.2} | {:.1} | {:.0} % |",
                row.name,
                row.size,
                row.pixel_bytes as f64 / 1e6,
                1e3 * row.plan_s,
                1e3 * row.fill_s,
                1e3 * row.send_s,
                1e3 * row.transfer_s,
                1e3 * row.kernel_s(),
                1e3 * row.collect_s,
                1e3 * row.whole_s,
                row.whole_by_transfer(),
                1e3 * row.cpu_s,
                row.kernel_bytes_per_s() / 1e9,
                100.0 * row.kernel_bytes_per_s() / copied
            )?;
        }
        writeln!(out)
    }

    fn write_stages(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (self.pages.iter()).any(|row| row.stages_s.is_none()) {
            return writeln!(
                out,
                "Kernels are timed by the host: the card has no clock to go by.\n"
            );
        }
        let copied = self.copied_bytes_per_s;
        writeln!(
            out,
            "| page | stage | ms | GB/s | of copying |\n|---|---|---:|---:|---:|"
        )?;
        for row in &self.pages {
            for (stage, seconds) in row.stages_s.iter().flatten() {
                let bytes_per_s = row.pixel_bytes as f64 / seconds;
                writeln!(
                    out,
                    "| {} | {stage} | {:.3} | {:.1} | {:.0} % |",
                    row.name,
                    1e3 * seconds,
                    bytes_per_s / 1e9,
                    100.0 * bytes_per_s / copied
                )?;
            }
        }
        writeln!(out)
    }

    fn write_fills(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "| threads that fill | GB/s |\n|---:|---:|")?;
        for row in &self.fills {
            writeln!(out, "| {} | {:.1} |", row.threads, row.bytes_per_s / 1e9)?;
        }
        writeln!(out)
    }

    fn write_batches(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "| batch | submissions | GPU pairs/s | CPU pairs/s | GPU pairs/s from files \
             | CPU pairs/s from files |\n|---|---:|---:|---:|---:|---:|"
        )?;
        for row in &self.batches {
            writeln!(
                out,
                "| {} × {} {} | {} | {:.0} | {:.0} | {:.0} | {:.0} |",
                row.pairs,
                row.size,
                row.name,
                row.submissions,
                row.gpu_pairs_per_s,
                row.cpu_pairs_per_s,
                row.gpu_files_per_s,
                row.cpu_files_per_s
            )?;
        }
        Ok(())
    }
}
