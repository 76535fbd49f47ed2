import type { Address, Fields, Scope, Value } from "./values.ts";

/** Names of a function or a block, before those around it. */
export class LocalScope implements Scope {
  private readonly names = new Map<string, Value>();

  constructor(
    private readonly around: Scope | undefined,
    fields: Fields = {},
  ) {
    for (const [name, value] of Object.entries(fields)) this.names.set(name, value);
  }

  define(name: string, value: Value): void {
    this.names.set(name, value);
  }

  has(name: string): boolean {
    return this.names.has(name) || (this.around?.has(name) ?? false);
  }

  lookup(name: string): Value {
    return this.names.has(name) ? this.names.get(name) : this.around?.lookup(name);
  }

  locate(name: string): Address | undefined {
    return this.names.has(name) ? undefined : this.around?.locate(name);
  }
}
