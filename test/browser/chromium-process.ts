/** Path and arguments of the Chromium that the tests start. */

import { existsSync } from "node:fs";

export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function chromiumPath(): string {
  const found =
    process.env.CHROMIUM_PATH ??
    ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find((candidate) => existsSync(candidate));
  if (!found) throw new Error("No Chromium found. Set CHROMIUM_PATH, or run `npm test`, which installs one.");
  return found;
}
