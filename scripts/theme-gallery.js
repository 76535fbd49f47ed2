// Writes docs/images/themes: screenshots of the site that `octavo init` creates, with each theme and in both
// color modes.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { root, run } from "./prepare.js";

const themes = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"];
const images = path.join(root, "docs/images/themes");
const work = mkdtempSync(path.join(tmpdir(), "octavo-themes-"));
const octavo = (...args) =>
  run(process.execPath, [path.join(root, "bin/octavo.js"), ...args], { stdio: "ignore" });

mkdirSync(images, { recursive: true });
octavo("init", path.join(work, "site"), "--name", "Meridian");
const settings = JSON.parse(readFileSync(path.join(work, "site/docs.json"), "utf8"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] });
for (const theme of themes) {
  const docs = path.join(work, theme);
  cpSync(path.join(work, "site"), docs, { recursive: true });
  writeFileSync(path.join(docs, "docs.json"), JSON.stringify({ ...settings, theme }));
  const site = path.join(work, `${theme}-site`);
  octavo("build", docs, "--out", site);
  waitForFonts(path.join(site, "_octavo"));
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 0.6,
      colorScheme,
    });
    await page.goto(pathToFileURL(path.join(site, "guides/components.html")).href);
    await page.evaluate("document.fonts.ready");
    await page.screenshot({
      path: path.join(images, `${theme}-${colorScheme}.jpg`),
      type: "jpeg",
      quality: 82,
    });
    await page.close();
  }
}
await browser.close();
rmSync(work, { recursive: true });

/**
 * Makes the pages wait for their fonts. By default, a page shows a system font until its own font has loaded.
 */
function waitForFonts(folder) {
  for (const name of readdirSync(folder).filter((file) => /^site-.*\.css$/.test(file))) {
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("font-display:swap", "font-display:block"));
  }
}
