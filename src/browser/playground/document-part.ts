/**
 * Loads the part of the API document that the page needs: its operation, and the shared components as they
 * are referenced.
 */

import { type Raw, Refs } from "../../engine/openapi/nodes/refs.ts";
import { type Operation, readOperation } from "../../engine/openapi/request/operation.ts";
import type { OperationData } from "../../engine/openapi/request/operation-data.ts";
import { loadScript } from "../load-script.ts";

/** Data of the loaded scripts. Each script calls one of the global functions below. */
const received: { operation?: OperationData; chunks?: string[]; components: Map<string, unknown> } = {
  components: new Map(),
};

/** Defines the global functions that data scripts call. Call this before data scripts run. */
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
  /**
   * Loads missing components. Resolves to true if schemas must be read again, because there are new ones.
   * Rejects if loading fails.
   */
  loadMissing(): Promise<boolean>;
}

/**
 * Loads the operation and its referenced parts. Rejects if a file can't be loaded. `components` is the URL
 * prefix of the shared files.
 */
export async function loadOperationPart(operationHref: string, components: string): Promise<DocumentPart> {
  await loadScript(operationHref);
  const data = received.operation;
  if (!data) throw new Error(operationHref);

  const refs = new Refs(data.root, received.components);

  /** JSON pointers that no file contains. */
  const absent = new Set<string>();

  const loadMissing = async () => {
    const requested = [...refs.missing].filter(
      (pointer) => !absent.has(pointer) && !received.components.has(pointer),
    );
    refs.missing.clear();
    if (requested.length === 0) return false;

    try {
      if (!received.chunks) await loadScript(`${components}index.js`);
      const chunks = [...new Set(requested.map((pointer) => chunkOf(pointer, received.chunks ?? [])))].filter(
        (number) => number >= 0,
      );
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

  // Parameters and bodies may be references themselves, so the operation is read again until nothing is
  // missing.
  let operation = read();
  while (await loadMissing()) operation = read();
  return { data, refs, operation, loadMissing };
}

/**
 * Returns the index of the chunk that contains a pointer: the last chunk whose first pointer is less than or
 * equal to `pointer`. -1 if there is none.
 */
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
