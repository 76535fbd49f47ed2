/** Runs the model. Texts of readers who wait for an answer come before passages. */

import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { readTokenizer } from "./word-pieces.js";

/**
 * Maximum number of word pieces of a text, including the first and last. The rest of a longer text is
 * ignored.
 */
const pieces_count = 256;

const file = (name) => new URL(`./${name}`, import.meta.url);
const { Tensor, session } = await openSession();
const encode = readTokenizer(readFileSync(file("model/tokenizer.json"), "utf8"));

/** Opens the model with the native runtime if it is installed, and otherwise with WebAssembly. */
async function openSession() {
  const model = readFileSync(file("model/model.onnx"));
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  try {
    const { default: ort } = await import("onnxruntime-node");
    return { Tensor: ort.Tensor, session: await ort.InferenceSession.create(model, options) };
  } catch {
    const ort = await import("./runtime/ort.wasm.min.mjs");
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmBinary = readFileSync(file("runtime/ort-wasm-simd-threaded.wasm"));
    return { Tensor: ort.Tensor, session: await ort.InferenceSession.create(model, options) };
  }
}

/**
 * Returns the unit vector of a text. One text per call: the scales of the quantized layers depend on all
 * texts of a call, so the vector would depend on the other texts.
 */
async function embed(text) {
  const ids = encode(text, pieces_count);
  const tensor = (values) => new Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
  const ones = ids.map(() => 1);
  const zeros = ids.map(() => 0);
  const outputs = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(ones),
    token_type_ids: tensor(zeros),
  });
  const { data, dims } = outputs[session.outputNames[0]];
  const length = dims[2];
  const vector = new Float32Array(length);
  for (let index = 0; index < data.length; index++) vector[index % length] += data[index];
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

const urgent = [];
const others = [];
let isRunning = false;

async function runAll() {
  isRunning = true;
  for (let request = urgent.shift() ?? others.shift(); request; request = urgent.shift() ?? others.shift()) {
    const { id, text } = request;
    try {
      parentPort.postMessage({ id, vector: await embed(text) });
    } catch (error) {
      parentPort.postMessage({ id, error: `The embedding model failed: ${error.message}` });
    }
    // Receives the requests that arrived in the meantime.
    await new Promise(setImmediate);
  }
  isRunning = false;
}

parentPort.on("message", (request) => {
  (request.isUrgent ? urgent : others).push(request);
  if (!isRunning) void runAll();
});
