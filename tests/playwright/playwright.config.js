// What a project that uses the client has: its own set-up and teardown, and the address of the service in the environment.
const { defineConfig, devices } = require("@playwright/test");

module.exports = defineConfig({
  testDir: ".",
  outputDir: process.env.SUITE_OUTPUT,
  globalSetup: require.resolve("@regressionbot/playwright/global-setup"),
  globalTeardown: require.resolve("@regressionbot/playwright/global-teardown"),
  // The client looks here for the project: what Playwright hands to a set-up has no `use` of its own.
  metadata: { regressionbotProject: "playwright-suite" },
  reporter: "list",
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  use: {
    ...devices["Desktop Chrome"],
    baseURL: process.env.SUITE_ORIGIN,
    launchOptions: {
      executablePath: process.env.SUITE_BROWSER,
      args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
