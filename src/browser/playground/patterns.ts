/** Tests a text against a pattern of a document. A pattern can run for ever, so it runs in a worker that is ended when it takes too long. */
const limit_ms = 50;

/** Undefined when nobody can tell: no worker here (`file://`, a strict policy), a pattern that is none, or one that takes too long. */
export function testPattern(pattern: string, text: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    let address = "";
    const end = (answer: boolean | undefined) => {
      worker?.terminate();
      URL.revokeObjectURL(address);
      resolve(answer);
    };
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
