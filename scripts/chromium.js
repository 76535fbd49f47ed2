// Finds or downloads a Chromium for the browser tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./prepare.js";

// The headless shell is preferred, because it needs only a third of the CPU time.
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of an executable. Undefined if there is none and it can't be installed. A message then explains how to install one. */
export async function ensureChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
  const found = which(shell) ?? install(shell) ?? names.map(which).find(Boolean) ?? install("chromium");
  if (found) return found;
  console.error("Downloading Chromium…");
  run(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium-headless-shell"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { chromium } = await import("playwright-core");
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded)) return downloaded;
  console.error(
    "Chromium wasn't found and can't be installed. Install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable, and run the tests again.",
  );
  return undefined;
}

/** Installs a Debian package. Returns the path of its executable. */
function install(name) {
  if (process.getuid?.() !== 0 || !which("apt-get")) return undefined;
  console.error(`Installing ${name} with apt-get…`);
  const quiet = { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  run("apt-get", ["update", "-qq"], quiet);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
  return which(name);
}

function which(name) {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
