//! `pentimento-gpu-check`: checks a machine's graphics adapter against its processor and times
//! both. One file to carry: it makes its own pairs and needs no network.

use std::env::args_os;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use pentimento_compute::Error;
use pentimento_compute::gpu_check::{Extent, Report, run};

const HELP: &str = "\
Checks every stage of the comparison on this machine's graphics adapter against the processor, and
times both.

Usage: pentimento-gpu-check [--quick] [--adapter NAME] [--json | --json-file FILE]

  --quick           small pages and batches, for software adapters
  --adapter NAME    check the adapter with this in its name, instead of the best
  --json            print JSON instead of tables in Markdown
  --json-file FILE  write the JSON into a file, which is replaced, beside printing tables
  --help            print this

Exit status: 0 when both paths agree, 1 when they differ, or the adapter fails or does not do its share
of the work, 2 without an adapter or one of that name, 64 for an argument that is none of these.

It needs a Vulkan driver and the Vulkan loader (libvulkan.so.1). A machine with an NVIDIA card has
the driver but often not the loader: install the package libvulkan1 (Debian, Ubuntu) or
vulkan-loader (Fedora, Arch), or put libvulkan.so.1 into a folder that LD_LIBRARY_PATH names. In a
container the driver must be mapped in with the graphics capability
(NVIDIA_DRIVER_CAPABILITIES=all). A driver that lies elsewhere than in /usr/share/vulkan or
/etc/vulkan is named by its description: VK_DRIVER_FILES=/…/nvidia_icd.json.";

/// What becomes of the result.
enum Form {
    Table,
    Json,
    /// A table that is printed, and JSON in a file that is open already: it would be a pity to find out after minutes that it cannot be.
    Both(File),
}

fn main() -> ExitCode {
    let (mut extent, mut adapter, mut form) = (Extent::Full, None, Form::Table);
    let mut arguments = args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument.to_string_lossy() {
            "--quick" => extent = Extent::Quick,
            "--adapter" => {
                let Some(name) = arguments.next() else {
                    say("--adapter needs a part of a name");
                    return ExitCode::from(64);
                };
                adapter = Some(name.to_string_lossy().into_owned());
            }
            "--json" => form = Form::Json,
            "--json-file" => match beside(arguments.next()) {
                Ok(both) => form = both,
                Err(error) => {
                    say(&error);
                    return ExitCode::from(64);
                }
            },
            "--help" | "-h" => return print(HELP, ExitCode::SUCCESS),
            other => {
                say(&format!("unknown argument {other}\n\n{HELP}"));
                return ExitCode::from(64);
            }
        }
    }
    match run(extent, adapter.as_deref(), say) {
        Ok(report) => show(&report, form),
        Err(error @ Error::NoAdapter) => {
            say(&format!("{error}\n\n{HELP}"));
            ExitCode::from(2)
        }
        Err(error @ Error::NoSuchAdapter { .. }) => {
            say(&error.to_string());
            ExitCode::from(2)
        }
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Opens the file that the JSON goes into.
fn beside(file: Option<OsString>) -> Result<Form, String> {
    let file = file.ok_or("--json-file needs the name of a file")?;
    let opened = File::create(&file);
    let why = |error| format!("{} cannot be written: {error}", file.display());
    opened.map(Form::Both).map_err(why)
}

fn show(report: &Report, form: Form) -> ExitCode {
    let status = if report.is_right() && report.speed.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    };
    match form {
        Form::Table => print(&report.to_string(), status),
        Form::Json => print(&report.to_json(), status),
        Form::Both(mut file) => {
            let status = print(&report.to_string(), status);
            let written = writeln!(file, "{}", report.to_json());
            written.map_or_else(|error| not_written(&error), |()| status)
        }
    }
}

fn print(text: &str, status: ExitCode) -> ExitCode {
    let written = writeln!(stdout(), "{text}");
    written.map_or_else(|error| not_written(&error), |()| status)
}

fn not_written(error: &std::io::Error) -> ExitCode {
    say(&format!("the result could not be written: {error}"));
    ExitCode::FAILURE
}

/// Tells on the standard error; whoever closed it has seen enough, and the result does not hang on that.
fn say(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}
