// Finds or downloads a Chromium for the browser tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./prepare.js";

// The headless shell needs a third of the processor time: it has no windows to draw.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of an executable, or undefined after saying what to do. */
export async function ensureChromium() {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && which("apt-get")) {
    console.error("Installing Chromium from the system's packages …");
    const quiet = { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    run("apt-get", ["update", "-qq"], quiet);
    for (const name of ["chromium-headless-shell", "chromium"]) {
      run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
      const installed = find();
      if (installed) return installed;
    }
  }
  console.error("Downloading Chromium …");
  run(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium-headless-shell"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { chromium } = await import("playwright-core");
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded)) return downloaded;
  console.error(
    "No Chromium: install one (Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable, then run npm test again.",
  );
  return undefined;
}

function find() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
  return names.map(which).find(Boolean);
}

function which(name) {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
