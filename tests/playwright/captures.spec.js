const { test } = require("@playwright/test");
const { captureScreenshot, captureVisual } = require("@regressionbot/playwright");

test("the home page, but for its clock", async ({ page }) => {
  await page.goto("/");
  await captureScreenshot(page, "desktop", { mask: ["#clock"] });
});

test("the prices on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/prices?plan=team");
  await captureVisual(page, "phone");
});

test("the same page in two variants", async ({ page }) => {
  await page.goto("/prices?plan=team");
  await captureVisual(page, "desktop");
});
