/** The loaded part of the API document: the page's operation and those shared components that were referred to so far. */
import { type Operation, readOperation } from "../../engine/openapi/operation.ts";
import type { OperationData } from "../../engine/openapi/operation-data.ts";
import { type Raw, Refs } from "../../engine/openapi/refs.ts";
import { loadScript } from "../load-script.ts";

/** Data of the scripts that have been loaded. They call the global functions below. */
const received: { operation?: OperationData; chunks?: string[]; components: Map<string, unknown> } = { components: new Map() };

/** Call this before data scripts run. */
export function listenForData(): void {
  Object.assign(globalThis, {
    octavoOperation(data: OperationData) {
      received.operation = data;
    },
    octavoChunks(chunks: string[]) {
      received.chunks = chunks;
    },
    octavoComponents(_number: number, nodes: Raw) {
      for (const [pointer, node] of Object.entries(nodes)) received.components.set(pointer, node);
    },
  });
}

export interface DocumentPart {
  data: OperationData;
  refs: Refs;
  operation: Operation;
  /** Loads components that were missing. True if new ones are available, so that views must be read again. Rejects if a file can't be loaded. */
  loadMissing(): Promise<boolean>;
}

/** Rejects if the operation's file can't be loaded. `components` is the URL prefix of the shared files. */
export async function openDocument(operationHref: string, components: string): Promise<DocumentPart> {
  await loadScript(operationHref);
  const data = received.operation;
  if (!data) throw new Error(operationHref);
  const refs = new Refs(data.root, received.components);
  /** Pointers that are in no file. */
  const absent = new Set<string>();

  const loadMissing = async () => {
    const requested = [...refs.missing].filter((pointer) => !absent.has(pointer) && !received.components.has(pointer));
    refs.missing.clear();
    if (requested.length === 0) return false;
    try {
      if (!received.chunks) await loadScript(`${components}index.js`);
      const chunks = [...new Set(requested.map((pointer) => chunkOf(pointer, received.chunks ?? [])))].filter((number) => number >= 0);
      await Promise.all(chunks.map((number) => loadScript(`${components}${number}.js`)));
    } catch (error) {
      for (const pointer of requested) refs.missing.add(pointer);
      throw error;
    }
    const found = requested.filter((pointer) => received.components.has(pointer));
    for (const pointer of requested) if (!received.components.has(pointer)) absent.add(pointer);
    return found.length > 0;
  };

  const read = () => {
    const pathItem = refs.at(data.pathItem);
    if (!pathItem) throw new Error(data.pathItem);
    const operation = readOperation(refs, pathItem, data.method, data.path, data.kind);
    if (!operation) throw new Error(data.pathItem);
    return operation;
  };
  // Parameters and bodies may be references themselves: reads again until nothing is missing.
  let operation = read();
  while (await loadMissing()) operation = read();
  return { data, refs, operation, loadMissing };
}

/** Number of the chunk with a pointer: the last one whose first pointer isn't greater; -1 for none. */
function chunkOf(pointer: string, chunks: string[]): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle]! <= pointer) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
