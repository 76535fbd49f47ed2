/** Polls until the condition is true. Resolves with the elapsed milliseconds. */
export async function until(
  condition: () => Promise<boolean>,
  atMost_ms = 30_000,
  interval_ms = 20,
): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > atMost_ms)
      throw new Error(`The condition did not become true within ${atMost_ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, interval_ms));
  }
  return performance.now() - started;
}
