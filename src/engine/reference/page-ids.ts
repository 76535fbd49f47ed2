import { paramIdOf } from "../html/anchor-ids.ts";

/**
 * Assigns the ids of a reference page. If the id of a field is in use, the field gets an id that contains its
 * section. If that id is also in use, a number is appended.
 */
export class PageIds {
  readonly all: string[] = [];
  private readonly taken: Set<string>;
  /** The last suffix of each id, so that claiming the same name many times takes linear time. */
  private readonly counts = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** Claims the id of a heading. */
  heading(preferred: string): string {
    return this.claim(preferred);
  }

  /**
   * Claims the id of a field: `data.user_id` → `param-data-user-id`. `preferred`: the result of `paramIdOf`
   * for the path, if known.
   */
  field(path: string, section: string, preferred = paramIdOf(path)): string {
    return this.claim(this.taken.has(preferred) && section ? paramIdOf(`${section}.${path}`) : preferred);
  }

  private claim(preferred: string): string {
    let id = preferred;
    let count = this.counts.get(preferred) ?? 0;
    while (this.taken.has(id)) id = `${preferred}-${++count}`;
    this.counts.set(preferred, count);
    this.taken.add(id);
    this.all.push(id);
    return id;
  }
}

/** Returns the ids in the HTML of the page's text. */
export function idsIn(html: string): string[] {
  return html
    .split(' id="')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('"')));
}
