//! A person's way through the dashboard, in Chromium.
