import { paramIdOf } from "../../html/anchor-ids.ts";

/** Ids of a reference page. A name that is taken gets its section, then a number. */
export class PageIds {
  readonly all: string[] = [];
  private readonly taken: Set<string>;
  /** How often a name was asked for, so that a thousand equal names stay cheap. */
  private readonly counts = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  heading(wanted: string): string {
    return this.claim(wanted);
  }

  /** `data.user_id` → `param-data-user-id`. */
  field(path: string, section: string): string {
    const id = paramIdOf(path);
    return this.claim(this.taken.has(id) && section ? paramIdOf(`${section}.${path}`) : id);
  }

  private claim(wanted: string): string {
    let id = wanted;
    let count = this.counts.get(wanted) ?? 0;
    while (this.taken.has(id)) id = `${wanted}-${++count}`;
    this.counts.set(wanted, count);
    this.taken.add(id);
    this.all.push(id);
    return id;
  }
}

/** Ids that the page's own text has given away. */
export function idsIn(html: string): string[] {
  return [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
}
