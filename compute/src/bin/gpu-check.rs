//! `pentimento-gpu-check`: checks a machine's graphics adapter against its processor and times
//! both. One file to carry: it makes its own pairs and needs no network.

use std::env::args_os;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use pentimento_compute::Error;
use pentimento_compute::gpu_check::{Extent, Report, run};

const HELP: &str = "\
Checks every stage of the comparison on this machine's graphics adapter against the processor, and
times both.

Usage: pentimento-gpu-check [--quick] [--json]

  --quick  small pages and batches, for software adapters
  --json   print JSON instead of tables in Markdown
  --help   print this

Exit status: 0 when both paths agree, 1 when they differ or the adapter fails, 2 without an adapter,
64 for an argument that is none of these.

It needs a Vulkan driver and the Vulkan loader (libvulkan.so.1). A machine with an NVIDIA card has
the driver but often not the loader: install the package libvulkan1 (Debian, Ubuntu) or
vulkan-loader (Fedora, Arch), or put libvulkan.so.1 into a folder that LD_LIBRARY_PATH names. In a
container the driver must be mapped in with the graphics capability
(NVIDIA_DRIVER_CAPABILITIES=all). A driver that lies elsewhere than in /usr/share/vulkan or
/etc/vulkan is named by its description: VK_DRIVER_FILES=/…/nvidia_icd.json.";

/// What is printed.
#[derive(Clone, Copy)]
enum Form {
    Table,
    Json,
}

fn main() -> ExitCode {
    let (mut extent, mut form) = (Extent::Full, Form::Table);
    for argument in args_os().skip(1) {
        match &*argument.to_string_lossy() {
            "--quick" => extent = Extent::Quick,
            "--json" => form = Form::Json,
            "--help" | "-h" => return print(HELP, ExitCode::SUCCESS),
            other => {
                say(&format!("unknown argument {other}\n\n{HELP}"));
                return ExitCode::from(64);
            }
        }
    }
    match run(extent, say) {
        Ok(report) => show(&report, form),
        Err(error @ Error::NoAdapter) => {
            say(&format!("{error}\n\n{HELP}"));
            ExitCode::from(2)
        }
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn show(report: &Report, form: Form) -> ExitCode {
    let status = if report.is_equal() && report.speed.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    };
    match form {
        Form::Table => print(&report.to_string(), status),
        Form::Json => print(&report.to_json(), status),
    }
}

fn print(text: &str, status: ExitCode) -> ExitCode {
    match writeln!(stdout(), "{text}") {
        Ok(()) => status,
        Err(error) => {
            say(&format!("the result could not be written: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells on the standard error; whoever closed it has seen enough, and the result does not hang on that.
fn say(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}
