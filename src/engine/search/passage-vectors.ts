/**
 * The vectors of an index's passages, as int8. Each part has the vectors of `numbersOfPart` passage numbers,
 * so that an edit changes few parts. A part is a line of JSON (`PartHead`), followed by a row for each
 * number: `rowHash` of the passage, and its vector. The hash of a passage without a vector is zero.
 */

const numbersOfPart = 512;
const hash_bytes = 8;
/** Number of parts that are compared at once. This takes a few milliseconds. */
const comparedParts_count = 16;

interface PartHead {
  /** Name of the model. */
  model: string;
  /** Length of each vector. */
  dimensions: number;
}

/** A row of a part. `hash`: lower-case hex. */
export interface VectorRow {
  hash: string;
  vector: Int8Array;
}

interface ReadPart extends PartHead {
  rows: Uint8Array;
}

/** Rounds a unit vector to int8, so that its largest component is 127 or -127. */
export function quantized(vector: Float32Array): Int8Array {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  return Int8Array.from(vector, (value) => Math.round((value * 127) / most));
}

/**
 * Writes the parts of an index. `rows`: by passage number. Rows whose vector has another length are left out.
 */
export function writeParts(head: PartHead, rows: ReadonlyMap<number, VectorRow>): Uint8Array[] {
  let last = -1;
  for (const number of rows.keys()) last = Math.max(last, number);
  const parts_count = Math.ceil((last + 1) / numbersOfPart);
  const first = Buffer.from(`${JSON.stringify(head)}\n`);
  return Array.from({ length: parts_count }, (_, part) => {
    const bytes = Buffer.alloc(first.length + numbersOfPart * (hash_bytes + head.dimensions));
    first.copy(bytes);
    for (let place = 0; place < numbersOfPart; place++) {
      const row = rows.get(part * numbersOfPart + place);
      if (row?.vector.length !== head.dimensions) continue;
      const at = first.length + place * (hash_bytes + head.dimensions);
      bytes.write(row.hash.slice(0, 2 * hash_bytes), at, "hex");
      bytes.set(new Uint8Array(row.vector.buffer, row.vector.byteOffset, row.vector.length), at + hash_bytes);
    }
    return bytes;
  });
}

function readPart(bytes: Uint8Array): ReadPart {
  const end = bytes.indexOf(10);
  return {
    ...(JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as PartHead),
    rows: bytes.subarray(end + 1),
  };
}

/** Returns the rows of a part. Empty if the vectors are those of another model. */
export function* rowsOf(bytes: Uint8Array, model: string): Generator<VectorRow> {
  const { rows, dimensions, model: own } = readPart(bytes);
  if (own !== model) return;
  for (let at = 0; at < rows.length; at += hash_bytes + dimensions) {
    const hash = Buffer.from(rows.subarray(at, at + hash_bytes)).toString("hex");
    const vector = new Int8Array(rows.buffer, rows.byteOffset + at + hash_bytes, dimensions);
    if (!/^0+$/.test(hash)) yield { hash, vector };
  }
}

export class PassageVectors {
  private readonly parts: readonly (ReadPart & { lengths: Float32Array })[];

  /** `parts`: the content of all parts, in order. */
  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts.map((bytes) => {
      const part = readPart(bytes);
      return { ...part, lengths: lengthsOf(part) };
    });
  }

  /** Name of the model. Undefined if there are no vectors. */
  get model(): string | undefined {
    return this.parts[0]?.model;
  }

  /**
   * Compares a unit vector with the vectors of all passages. Resolves with the cosines, by passage number, or
   * 0 for passages without a vector. `pause`: called after every `comparedParts_count` parts, so that other
   * work of the process can run.
   */
  async cosines(question: Float32Array, pause: () => Promise<void>): Promise<Float32Array> {
    const cosines = new Float32Array(this.parts.length * numbersOfPart);
    for (const [number, { rows, dimensions, lengths }] of this.parts.entries()) {
      if (dimensions !== question.length) continue;
      if (number > 0 && number % comparedParts_count === 0) await pause();
      const values = new Int8Array(rows.buffer, rows.byteOffset, rows.length);
      for (let place = 0; place < numbersOfPart; place++) {
        if (lengths[place] === 0) continue;
        const start = place * (hash_bytes + dimensions) + hash_bytes;
        let product = 0;
        for (let index = 0; index < dimensions; index++) product += values[start + index]! * question[index]!;
        cosines[number * numbersOfPart + place] = product / lengths[place]!;
      }
    }

    return cosines;
  }
}

/** Returns the lengths of a part's vectors. */
function lengthsOf({ rows, dimensions }: ReadPart): Float32Array {
  const values = new Int8Array(rows.buffer, rows.byteOffset, rows.length);
  return Float32Array.from({ length: numbersOfPart }, (_, place) => {
    const start = place * (hash_bytes + dimensions) + hash_bytes;
    let squares = 0;
    for (let index = start; index < start + dimensions; index++) squares += values[index]! ** 2;
    return Math.sqrt(squares);
  });
}
