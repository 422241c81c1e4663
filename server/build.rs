//! Builds again when the embedded files change.

fn main() {
    for folder in ["../dashboard/dist", "../demo/site", "migrations"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
