/** Tests texts against patterns of a document. A pattern can run for ever, so it runs in a worker that is ended when it takes too long. */
const limit_ms = 50;
/** As many are tried for one look at a value; the rest counts as not known. */
const waiting_count = 200;

type Answer = boolean | undefined;

export class PatternTests {
  private readonly answers = new Map<string, Answer>();
  private readonly waiting = new Map<string, [string, string]>();

  /** What is known so far; what is not will be tried by `settle`. */
  readonly test = (pattern: string, text: string): Answer => {
    const key = JSON.stringify([pattern, text]);
    if (!this.answers.has(key) && this.waiting.size < waiting_count) this.waiting.set(key, [pattern, text]);
    return this.answers.get(key);
  };

  /** Tries what was asked for. True when something is known now that was not. */
  async settle(): Promise<boolean> {
    const asked = [...this.waiting];
    this.waiting.clear();
    let learnt = false;
    for (const [key, [pattern, text]] of asked) {
      const answer = await inWorker(pattern, text);
      this.answers.set(key, answer);
      learnt ||= answer !== undefined;
    }
    return learnt;
  }
}

/** Undefined when nobody can tell: no worker here (`file://`, a strict policy), a pattern that is none, or one that takes too long. */
function inWorker(pattern: string, text: string): Promise<Answer> {
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    let address = "";
    const end = (answer: Answer) => {
      worker?.terminate();
      URL.revokeObjectURL(address);
      resolve(answer);
    };
    // A policy of an air-gapped site may allow files of the site only.
    if (document.documentElement.dataset.kind === "air-gapped") return end(undefined);
    try {
      address = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
      worker = new Worker(address);
      worker.onerror = () => end(undefined);
      // The clock starts when the worker says that it is there: starting one may take longer than any pattern.
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
