// Finds a Chromium for the browser tests. Installs one only in CI or after a yes on a terminal.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "../../scripts/prepare.js";
import { mayInstall } from "./may-install.js";

// The headless shell is preferred, because it needs only a third of the CPU time.
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of an executable. Undefined if there is none and none is installed. */
export async function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
  const found = names.map(which).find(Boolean) ?? (await downloaded());
  if (found) return found;
  const isDebian = process.getuid?.() === 0 && which("apt-get") !== undefined;
  const source = isDebian ? `with apt-get (${shell})` : "for Playwright";
  if (!(await mayInstall(`The browser tests need Chromium. Install it ${source}?`))) return undefined;
  return isDebian ? (install(shell) ?? install("chromium")) : download();
}

/** Installs a Debian package. Returns the path of its executable. */
function install(name) {
  console.error(`Installing ${name} with apt-get…`);
  const quiet = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  run("apt-get", ["update", "-qq"], quiet);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
  return which(name);
}

/** Path of the headless shell that Playwright has downloaded. Undefined if there is none. */
async function downloaded() {
  const { chromium } = await import("playwright-core");
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

function download() {
  console.error("Downloading Chromium…");
  run(process.execPath, ["node_modules/playwright-core/cli.js", "install", shell], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return downloaded();
}

function which(name) {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
