/** Opens an embedding model in a folder: the package `octavo-semantic` (tools/semantic/). */

import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Embedder } from "../base/embedder.ts";

/** Returns the path of the package's script. */
export function localEmbedderScript(folder: string): string {
  return path.join(path.resolve(folder), "index.js");
}

/** Opens the model. It is loaded with the first text, and runs in a worker thread. */
export async function openLocalEmbedder(folder: string): Promise<Embedder> {
  const loaded = (await import(pathToFileURL(localEmbedderScript(folder)).href)) as {
    openEmbedder(): Embedder;
  };
  return loaded.openEmbedder();
}
