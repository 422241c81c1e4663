//! The service's tests, at its boundaries: HTTP, database, storage, browser. Everything in them is real: Chromium, the
//! databases, the file system, a site served on loopback. One binary, so that it links once.

mod support; // a running service, a site to capture, a browser to look with

mod agreement; // pages that do not always look the same: captured again before they alarm anybody
mod alive; // a busy process is not taken for dead
mod audit; // who did what, and when
mod auth; // keys, scopes, organizations, sessions
mod bad_input; // malformed requests
mod bounds; // to the last entry and one beyond; what must equal a stored configuration
mod capture; // masks, devices, custom CSS
mod client_jobs; // uploads of clients that capture by themselves
mod comparing; // whose result is compared next
mod comparison; // what is told of a change: rows aligned, kinds of regions, smoothed edges, and what compared
mod connections; // what asks for nothing is closed, what takes long goes on, how many there may be
mod coverage; // the table of the interface's rules names tests that are there
mod crash; // kill -9 of the service and of the browser
mod crops; // pictures of what changed, by signed links
mod dashboard; // a person's way through the dashboard, in Chromium
mod deciding; // what approving does in each of its forms, and what it counts
mod demo; // the bundled demo site's outcomes
mod devices; // the list of devices, and what a page sees of the one it is captured on
mod diff_cli; // `pentimento diff` on files and folders
mod discover; // which pages a run has: sitemaps of all kinds, scans, the preview
mod document; // which elements changed, by comparing DOM trees
mod failures; // pages and jobs that cannot run
mod faults; // pages and browsers that hang, crash, leave, take all memory, ask and open windows
mod fields; // which fields each answer has, and of which types
mod gates; // credentials: past the gate of a site, and to nobody else
mod groups; // one decision for all pages that show the same change
mod history; // one page through its runs, and how its baseline moved
mod idempotency; // calls that are sent again
mod jobs; // the main flow: baselines, changes, summaries, links
mod keys; // making, rotating and revoking keys over HTTP
mod language_model; // what a model may say, and what it may not
mod large_pages; // pages beyond what a browser draws at once: in bands, and cut where they end; large pictures
mod leash; // what a captured page can reach: every way, and none past the rules
mod limits; // how often, and how much at once
mod many_pages; // one decision on thousands of pages
mod mask_trial; // what a mask would leave of a job's changes, and whether it does
mod openapi; // the served description
mod operations; // every operation × everything that is wrong with a call
mod pages; // which pages a job captures
mod passing; // a storage that is away for a while ends nothing that is under way
mod places; // whose page is captured next; a job's limit over all servers
mod playwright; // an existing Playwright client, unmodified
mod precondition; // changes that are made only of what their caller saw
mod profile; // what is waited for before a picture is taken, and what is reported of it
mod projects; // saving and running projects, what invalidates baselines
mod promotion; // many clients decide at once, and the history stays straight
mod readiness; // one look for all who ask whether the service is ready
mod refusals; // the one body of every refusal, each stable code; no redirects
mod remote; // `pentimento run` and `upload`, as a pipeline calls them
mod retention; // old jobs, and what goes with them
mod s3; // captures in a bucket: its links, late uploads, what is wrong with it
mod schedule; // runs by schedule
mod scrollers; // pages that scroll in an element, captured to its end
mod storage; // one list of tests for a disk and a bucket
mod triage; // approving, rejecting, conflicts
mod webhooks; // events: signed, retried, logged, and never sent where they must not go
mod withdrawing; // taking decisions back; decisions that do not know of each other
mod words; // a job in words, without its lists
