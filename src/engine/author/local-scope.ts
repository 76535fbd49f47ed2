import type { ComponentAddress, Fields, Value, VariableScope } from "./values.ts";

/**
 * A scope with its own names, such as the scope of a function or block. Other names are looked up in the
 * outer scope.
 */
export class LocalScope implements VariableScope {
  private readonly names = new Map<string, Value>();

  constructor(
    private readonly outer: VariableScope | undefined,
    fields: Fields = {},
  ) {
    for (const [name, value] of Object.entries(fields)) this.names.set(name, value);
  }

  define(name: string, value: Value): void {
    this.names.set(name, value);
  }

  has(name: string): boolean {
    return this.names.has(name) || (this.outer?.has(name) ?? false);
  }

  lookup(name: string): Value {
    return this.names.has(name) ? this.names.get(name) : this.outer?.lookup(name);
  }

  locate(name: string): ComponentAddress | undefined {
    return this.names.has(name) ? undefined : this.outer?.locate(name);
  }
}
