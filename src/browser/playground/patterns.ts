/** Tests text against the patterns of a document. They may be slow (ReDoS), so they run in a worker with a time limit. */
const limit_ms = 50;
/** Tests per rendering; further ones have no result. */
const waiting_count = 200;

/** Undefined: not known. */
type PatternResult = boolean | undefined;

export class PatternTests {
  private readonly results = new Map<string, PatternResult>();
  private readonly waiting = new Map<string, [string, string]>();

  /** The known result. Unknown ones are requested for `settle`. */
  readonly test = (pattern: string, text: string): PatternResult => {
    const key = JSON.stringify([pattern, text]);
    if (!this.results.has(key) && this.waiting.size < waiting_count) this.waiting.set(key, [pattern, text]);
    return this.results.get(key);
  };

  /** Runs the requested tests. True if there are new results. */
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

/** Undefined without workers (`file://`, a strict policy), for an invalid pattern, and after the time limit. */
function inWorker(pattern: string, text: string): Promise<PatternResult> {
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    let url = "";
    const end = (result: PatternResult) => {
      worker?.terminate();
      URL.revokeObjectURL(url);
      resolve(result);
    };
    // The policy of an air-gapped site may forbid `blob:` workers.
    if (document.documentElement.dataset.kind === "air-gapped") return end(undefined);
    try {
      url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
      worker = new Worker(url);
      worker.onerror = () => end(undefined);
      // The time limit starts when the worker is ready.
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
