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
  // Fewer processes take less CPU time.
  "--in-process-gpu",
  "--enable-features=NetworkServiceInProcess2",
];

/** Undefined if there is no Chromium, so that browser tests are skipped. */
export function chromiumPath(): string | undefined {
  const known = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
  return process.env.CHROMIUM_PATH ?? known.find((candidate) => existsSync(candidate));
}
