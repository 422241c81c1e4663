//! Who is measured, in which way, and how each is asked.
//!
//! All leave anti-aliased pixels out and have a threshold of 0.1, as ours do by default, where they have such settings.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::corpus::Pair;
use super::rivals::Programs;

/// A program that compares pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Pentimento,
    Odiff,
    Blazediff,
    Pixelmatch,
    Honeydiff,
}

impl Tool {
    pub(super) const ALL: [Self; 5] = [
        Self::Pentimento,
        Self::Odiff,
        Self::Blazediff,
        Self::Pixelmatch,
        Self::Honeydiff,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pentimento => "pentimento",
            Self::Odiff => "odiff",
            Self::Blazediff => "blazediff",
            Self::Pixelmatch => "pixelmatch",
            Self::Honeydiff => "honeydiff",
        }
    }

    pub(super) fn parse(name: &str) -> Result<Self> {
        let tool = Self::ALL.into_iter().find(|tool| tool.as_str() == name);
        tool.with_context(|| format!("no such tool: `{name}`"))
    }

    /// The exit code that says that pictures differ; 0 says that they are the same.
    pub(super) fn different(self) -> i32 {
        match self {
            Self::Odiff => 22,
            Self::Pixelmatch => 66,
            Self::Pentimento | Self::Blazediff | Self::Honeydiff => 1,
        }
    }
}

/// What is compared with what: a table of its own for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// A new process that writes an image of the page with its changes.
    Image,
    /// A new process that writes the changed pixels only.
    Mask,
    /// A new process that writes no image.
    Verdict,
    /// A process that has been running.
    Warm,
}

impl Group {
    pub(super) const ALL: [Self; 4] = [Self::Image, Self::Mask, Self::Verdict, Self::Warm];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Image => "Command line, full diff image",
            Self::Mask => "Command line, changed pixels only",
            Self::Verdict => "Command line, no image",
            Self::Warm => "Warm processes",
        }
    }
}

/// How a contender is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A process for each comparison.
    Process,
    /// The same of the program that is the service, too.
    ServiceProcess,
    /// The same of the program that loads a pair and compares nothing.
    LoadProcess,
    /// The lines of `benches/warm.rs` and `benches/rivals/worker.mjs`, in this mode.
    Lines(&'static str),
    /// The JSON of `odiff --server`, with or without `outputDiffMask`.
    OdiffServer(OdiffOutput),
}

/// odiff's server always writes an image when pictures differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OdiffOutput {
    Image,
    Mask,
}

/// A tool measured in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contender {
    pub(super) tool: Tool,
    pub(super) group: Group,
    pub(super) way: Way,
    /// What the tables call it.
    pub(super) label: &'static str,
}

/// Ours compare captures as the service keeps them.
pub(super) const STORED: Contender = warm(
    Tool::Pentimento,
    Way::Lines("stored"),
    "pentimento, stored captures",
);
/// Stored captures loaded by ours, and not compared.
pub(super) const STORED_LOAD: Contender = warm(
    Tool::Pentimento,
    Way::Lines("load"),
    "pentimento, stored captures loaded alone",
);
/// PNG files loaded by a program of ours, and not compared.
pub(super) const PNG_LOAD: Contender = Contender {
    way: Way::LoadProcess,
    ..process(
        Tool::Pentimento,
        Group::Verdict,
        "pentimento, loading alone",
    )
};
/// Ours read two PNG files, as the others do.
pub(super) const PNG: Contender =
    warm(Tool::Pentimento, Way::Lines("png"), "pentimento, PNG files");
pub(super) const ODIFF_SERVER: Contender = warm(
    Tool::Odiff,
    Way::OdiffServer(OdiffOutput::Image),
    "odiff --server, diff image",
);
pub(super) const BLAZEDIFF_PLAIN: Contender = warm(
    Tool::Blazediff,
    Way::Lines("plain"),
    "blazediff binding, no image",
);

const fn warm(tool: Tool, way: Way, label: &'static str) -> Contender {
    Contender {
        tool,
        group: Group::Warm,
        way,
        label,
    }
}

const fn process(tool: Tool, group: Group, label: &'static str) -> Contender {
    Contender {
        tool,
        group,
        way: Way::Process,
        label,
    }
}

/// Everyone, or those of the tools that are named.
pub(super) fn all(only: &[Tool]) -> Vec<Contender> {
    let mut all = vec![
        process(Tool::Pentimento, Group::Image, "pentimento-diff --diff"),
        process(Tool::Odiff, Group::Image, "odiff"),
        process(Tool::Blazediff, Group::Image, "blazediff"),
        process(Tool::Pixelmatch, Group::Image, "pixelmatch"),
        process(Tool::Honeydiff, Group::Image, "honeydiff (Node script)"),
        process(Tool::Pentimento, Group::Mask, "pentimento-diff --mask"),
        process(Tool::Odiff, Group::Mask, "odiff --diff-mask"),
        process(Tool::Blazediff, Group::Mask, "blazediff --diff-mask"),
        process(Tool::Honeydiff, Group::Mask, "honeydiff (Node script)"),
        process(Tool::Pentimento, Group::Verdict, "pentimento-diff"),
        Contender {
            way: Way::ServiceProcess,
            ..process(Tool::Pentimento, Group::Verdict, "pentimento diff")
        },
        PNG_LOAD,
        process(Tool::Odiff, Group::Verdict, "odiff"),
        process(Tool::Blazediff, Group::Verdict, "blazediff"),
        process(Tool::Pixelmatch, Group::Verdict, "pixelmatch"),
        process(Tool::Honeydiff, Group::Verdict, "honeydiff (Node script)"),
        STORED,
        STORED_LOAD,
        PNG,
        ODIFF_SERVER,
        warm(
            Tool::Odiff,
            Way::OdiffServer(OdiffOutput::Mask),
            "odiff --server, diff mask",
        ),
        BLAZEDIFF_PLAIN,
        warm(
            Tool::Blazediff,
            Way::Lines("image"),
            "blazediff binding, diff image",
        ),
        warm(
            Tool::Pixelmatch,
            Way::Lines("plain"),
            "pixelmatch, no image",
        ),
        warm(Tool::Honeydiff, Way::Lines("plain"), "honeydiff, no image"),
    ];
    all.retain(|contender| only.is_empty() || only.contains(&contender.tool));
    all
}

impl Contender {
    /// Whether it loads pictures and leaves it at that.
    pub(super) fn only_loads(&self) -> bool {
        [PNG_LOAD, STORED_LOAD].contains(self)
    }

    /// Whether it wants captures as the service keeps them.
    pub(super) fn wants_stored(&self) -> bool {
        [STORED, STORED_LOAD].contains(self)
    }

    /// The process that compares one pair, and writes to `output` what its group asks for.
    pub(super) fn command(&self, programs: &Programs, pair: &Pair, output: &Path) -> Command {
        let mut command = match self.way {
            Way::LoadProcess => {
                let mut load = Command::new(programs.load());
                load.arg(&pair.baseline).arg(&pair.current);
                return load;
            }
            Way::ServiceProcess => programs.service_diff(),
            Way::Process | Way::Lines(_) | Way::OdiffServer(_) => programs.command(self.tool),
        };
        command.arg(&pair.baseline).arg(&pair.current);
        let (image, mask) = (self.group == Group::Image, self.group == Group::Mask);
        match self.tool {
            Tool::Pentimento | Tool::Honeydiff if image => drop(command.arg("--diff").arg(output)),
            Tool::Pentimento | Tool::Honeydiff if mask => drop(command.arg("--mask").arg(output)),
            _ if image || mask => drop(command.arg(output)),
            _ => {}
        }
        match self.tool {
            Tool::Pentimento => drop(command.args(["--json", "--backend", "cpu"])),
            Tool::Odiff => drop(command.args(["--antialiasing", "--parsable-stdout"])),
            Tool::Blazediff => drop(command.arg("--antialiasing")),
            Tool::Pixelmatch | Tool::Honeydiff => {}
        }
        if mask && matches!(self.tool, Tool::Odiff | Tool::Blazediff) {
            command.arg("--diff-mask");
        }
        command
    }

    /// The process that stays; `None` for those that take a new one each time.
    pub(super) fn server(&self, programs: &Programs, output: &Path) -> Option<Command> {
        match (self.way, self.tool) {
            (Way::Process | Way::ServiceProcess | Way::LoadProcess, _) => None,
            (Way::OdiffServer(_), _) => {
                let mut command = programs.command(Tool::Odiff);
                command.arg("--server");
                Some(command)
            }
            (Way::Lines(_), Tool::Pentimento) => Some(Command::new(&programs.warm)),
            (Way::Lines(_), tool) => Some(programs.worker(tool, output)),
        }
    }
}
