/** Time until the process exits even if connections are still open. */
const exitDelay_ms = 1_000;

/** Resolves on SIGINT or SIGTERM, which then don't end the process anymore. */
export function whenInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  });
}

/** Ends the process soon. A failed start can leave connections open, which would keep the process alive. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), exitDelay_ms).unref();
}
