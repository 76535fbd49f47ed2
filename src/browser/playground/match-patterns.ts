/**
 * Tests text against the patterns of an API document. A pattern may be slow (ReDoS), so tests run in a worker
 * with a timeout.
 */

/** Timeout for one test. */
const limit_ms = 50;
/** Maximum number of queued tests. Further tests have no result. */
const waiting_count = 200;

/** Whether the text matches. Undefined if the test has no result. */
type PatternResult = boolean | undefined;

export class PatternTests {
  private readonly results = new Map<string, PatternResult>();
  private readonly waiting = new Map<string, [string, string]>();

  /** Returns the known result of a test. A test without a result is queued until `settle()` runs. */
  readonly test = (pattern: string, text: string): PatternResult => {
    const key = JSON.stringify([pattern, text]);
    if (!this.results.has(key) && this.waiting.size < waiting_count) this.waiting.set(key, [pattern, text]);
    return this.results.get(key);
  };

  /** Runs the queued tests. Returns true if there are new results. */
  async settle(): Promise<boolean> {
    const requested = [...this.waiting];
    this.waiting.clear();
    let hasNew = false;
    for (const [key, [pattern, text]] of requested) {
      const result = await inWorker(pattern, text);
      this.results.set(key, result);
      hasNew ||= result !== undefined;
    }
    return hasNew;
  }
}

/**
 * Runs one test in a worker. Resolves to undefined if workers aren't available (`file://`, a strict content
 * security policy), the pattern is invalid, or the test times out.
 */
function inWorker(pattern: string, text: string): Promise<PatternResult> {
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    let url = "";
    const end = (result: PatternResult) => {
      worker?.terminate();
      URL.revokeObjectURL(url);
      resolve(result);
    };

    // The content security policy of an air-gapped site may forbid `blob:` workers.
    if (document.documentElement.dataset.kind === "air-gapped") return end(undefined);

    try {
      url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
      worker = new Worker(url);
      worker.onerror = () => end(undefined);
      // The timeout starts when the worker is ready.
      worker.onmessage = ({ data }) => {
        if (data !== "ready") return end(data);
        worker!.postMessage([pattern, text]);
        setTimeout(end, limit_ms, undefined);
      };
    } catch {
      end(undefined);
    }
  });
}

const program = `
onmessage = ({ data: [pattern, text] }) => {
  try { postMessage(new RegExp(pattern, "u").test(text)); } catch { postMessage(undefined); }
};
postMessage("ready");
`;
