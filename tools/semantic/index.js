/**
 * The embedding model all-MiniLM-L6-v2 with int8 weights. Implements the `Embedder` interface of Octavo. The
 * model runs in a worker thread, which starts with the first text and doesn't keep the process alive.
 */

import { Worker } from "node:worker_threads";

/** Returns the embedder. Loads nothing until the first text. */
export function openEmbedder() {
  /** Requests in progress, by ID. */
  const waiting = new Map();
  let worker;
  let lastId = 0;

  function start() {
    const started = new Worker(new URL("./worker.js", import.meta.url));
    worker = started;
    worker.unref();
    worker.on("message", ({ id, vector, error }) => {
      const request = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
      if (error === undefined) request?.resolve(vector);
      else request?.reject(new Error(error));
    });
    const fail = (error) => {
      // After an error, the thread also exits, and another one may have been started.
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("The embedding model stopped")));
  }

  function embedOne(text, isUrgent) {
    if (!worker) start();
    worker.ref();
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, text, isUrgent });
    });
  }

  return {
    model: "all-MiniLM-L6-v2-int8",
    async embedQuestion(text) {
      return embedOne(text, true);
    },
    async embedPassages(texts) {
      return Promise.all(texts.map((text) => embedOne(text, false)));
    },
  };
}
