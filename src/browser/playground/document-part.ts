/** The part of the API's document that is at hand: the page's operation, and the shared components, which come when something asks for them. */
import { type Operation, readOperation } from "../../engine/openapi/operation.ts";
import type { OperationData } from "../../engine/openapi/operation-data.ts";
import { type Raw, Refs } from "../../engine/openapi/refs.ts";
import { loadScript } from "../load-script.ts";

/** What the data scripts of a page have told so far. They call the functions by their names. */
const told: { operation?: OperationData; chunks?: string[]; components: Map<string, unknown> } = { components: new Map() };

/** Must be called before data scripts run. */
export function listenToData(): void {
  Object.assign(globalThis, {
    octavoOperation(data: OperationData) {
      told.operation = data;
    },
    octavoChunks(chunks: string[]) {
      told.chunks = chunks;
    },
    octavoComponents(_number: number, nodes: Raw) {
      for (const [pointer, node] of Object.entries(nodes)) told.components.set(pointer, node);
    },
  });
}

export interface DocumentPart {
  data: OperationData;
  refs: Refs;
  operation: Operation;
  /** Fetches what was missed since the last time. True when something came, so that the reader's view has to be made anew; rejects when a file does not come. */
  loadMissing(): Promise<boolean>;
}

/** Rejects when the operation's file does not come. `components` is the prefix of the shared files. */
export async function openDocument(operationHref: string, components: string): Promise<DocumentPart> {
  await loadScript(operationHref);
  const data = told.operation;
  if (!data) throw new Error(operationHref);
  const refs = new Refs(data.root, told.components);
  /** Pointers that no file holds. */
  const hopeless = new Set<string>();

  const loadMissing = async () => {
    const wanted = [...refs.missing].filter((pointer) => !hopeless.has(pointer) && !told.components.has(pointer));
    refs.missing.clear();
    if (wanted.length === 0) return false;
    try {
      if (!told.chunks) await loadScript(`${components}index.js`);
      const chunks = [...new Set(wanted.map((pointer) => chunkOf(pointer, told.chunks ?? [])))].filter((number) => number >= 0);
      await Promise.all(chunks.map((number) => loadScript(`${components}${number}.js`)));
    } catch (error) {
      for (const pointer of wanted) refs.missing.add(pointer);
      throw error;
    }
    const found = wanted.filter((pointer) => told.components.has(pointer));
    for (const pointer of wanted) if (!told.components.has(pointer)) hopeless.add(pointer);
    return found.length > 0;
  };

  const read = () => {
    const pathItem = refs.at(data.pathItem);
    if (!pathItem) throw new Error(data.pathItem);
    const operation = readOperation(refs, pathItem, data.method, data.path, data.kind);
    if (!operation) throw new Error(data.pathItem);
    return operation;
  };
  // Parameters and bodies may be references themselves: the operation is whole when nothing is missed.
  let operation = read();
  while (await loadMissing()) operation = read();
  return { data, refs, operation, loadMissing };
}

/** The chunk that holds a pointer: the last one whose first pointer is not behind it. */
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
