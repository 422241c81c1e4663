// Changes single elements of the demo site's pages in the browser, one way at a time, and prints what the comparison says of each
// change: `make kinds`. No test: what is right is for people to say, and depends a little on the fonts of the machine.
//
//   node kinds.mjs BROWSER PENTIMENTO-DIFF
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const [browserPath, diff] = process.argv.slice(2);
const site = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../demo/site/before");
const pages = ["index", "features", "team", "pricing", "catalogue", "status"];
const elementsAPage = 36;
const types = { ".html": "text/html", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg" };

// What is done to an element, in the page, and what one would call it.
const changes = {
  "text in another colour": { kind: "recoloured", apply: (element) => {
    for (const each of [element, ...element.querySelectorAll("*")]) each.style.setProperty("color", "#b91c1c", "important");
  } },
  "another background": { kind: "recoloured", apply: (element) => element.style.setProperty("background", "#0ea5e9", "important") },
  "half opaque": { kind: "recoloured", apply: (element) => element.style.setProperty("opacity", "0.45", "important") },
  "hidden": { kind: "removed", apply: (element) => {
    for (const each of [element, ...element.querySelectorAll("*")]) each.style.setProperty("visibility", "hidden", "important");
  } },
  "moved by a few pixels": { kind: "shifted", apply: (element, [right, down]) => {
    element.style.setProperty("transform", `translate(${right}px, ${down}px)`, "important");
  } },
  "other letters": { kind: "edited", apply: (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.data.trim().length > 3) {
        text.data = [...text.data].reverse().join("");
        break;
      }
    }
  } },
};
const ways = [[3, 0], [8, 0], [14, 0], [-5, 0], [-11, 0], [3, 5], [-6, -4], [0, 7]];

const folder = mkdtempSync(path.join(tmpdir(), "pentimento-kinds-"));
const browser = await chromium.launch({ executablePath: browserPath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
let toldTheWay = 0;
const told = Object.fromEntries(Object.keys(changes).map((name) => [name, {}]));
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.setDefaultTimeout(30_000);
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    const file = path.join(site, path.extname(pathname) ? pathname : `${pathname}.html`);
    try {
      return route.fulfill({ body: readFileSync(file), contentType: types[path.extname(file)] });
    } catch {
      return route.fulfill({ status: 404, body: "" });
    }
  });
  const shot = (name) => page.screenshot({ path: path.join(folder, `${name}.png`), animations: "disabled", timeout: 30_000 });
  for (const name of pages) {
    await page.goto(`http://site.test/${name}`, { waitUntil: "load" });
    // Elements of which something is seen, none as large as half of the page.
    const count = await page.evaluate(() => {
      window.elements = () => [...document.querySelectorAll("body *")].filter((element) => {
        const { width, height, top, bottom } = element.getBoundingClientRect();
        return width > 4 && height > 4 && top >= 0 && bottom < 990 && width * height < 300_000;
      });
      return window.elements().length;
    });
    await shot("baseline");
    const step = Math.max(1, count / elementsAPage);
    for (let at = 0; at < Math.min(count, elementsAPage); at += 1) {
      const index = Math.floor(at * step);
      for (const [change, { kind, apply }] of Object.entries(changes)) {
        await page.evaluate(([index, source, way]) => {
          const element = window.elements()[index];
          const copy = element.cloneNode(true);
          // Applied to a copy: what stood there comes back as it was.
          element.replaceWith(copy);
          window.restore = () => copy.replaceWith(element);
          new Function(`return ${source}`)()(copy, way);
        }, [index, apply.toString(), ways[(at + index) % ways.length]]);
        await shot("current");
        await page.evaluate(() => window.restore());
        const files = ["baseline", "current"].map((name) => path.join(folder, `${name}.png`));
        // Exit 1 says that they differ.
        let output;
        try {
          output = execFileSync(diff, [...files, "--json"], { timeout: 60_000, encoding: "utf8" });
        } catch (error) {
          if (error.status !== 1) throw error;
          output = error.stdout;
        }
        const { regions } = JSON.parse(output);
        const kinds = regions.map((region) => region.kind);
        if (kind === "shifted") {
          const [x, y] = ways[(at + index) % ways.length];
          toldTheWay += regions.filter(({ shift }) => shift?.x === x && shift.y === y).length;
        }
        for (const kind of kinds.length ? kinds : ["nothing"]) told[change][kind] = (told[change][kind] ?? 0) + 1;
      }
    }
    console.error(`${name}: ${Math.min(count, elementsAPage)} of ${count} elements`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

const kinds = ["recoloured", "removed", "added", "shifted", "edited", "nothing"];
console.log(`| what was done | one would say | ${kinds.join(" | ")} |`);
console.log(`|---|---|${kinds.map(() => "---:").join("|")}|`);
for (const [change, { kind }] of Object.entries(changes)) {
  console.log(`| ${change} | ${kind} | ${kinds.map((kind) => told[change][kind] ?? 0).join(" | ")} |`);
}
console.log(`\nOf what moved, ${toldTheWay} regions tell the very way it went.`);
