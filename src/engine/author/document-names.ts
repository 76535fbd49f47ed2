import { isComponentName } from "../content.ts";
import type { Module } from "./code-module.ts";
import type { ComponentAddress, Exporter, Value, VariableScope } from "./values.ts";

/**
 * The names that imported files of code and snippets can use without defining them: global names, and the
 * components that the document defines or imports, or that one of its imported files exports.
 */
export class DocumentNames implements VariableScope {
  constructor(
    private readonly globals: VariableScope,
    /** Returns the document's own code. */
    private readonly document: () => Module,
    /** Whether the document's component with a name can be used. */
    private readonly isUsable: (name: string) => boolean = isComponentName,
  ) {}

  has(name: string): boolean {
    return (
      this.globals.has(name) ||
      (this.isUsable(name) && (this.document().hasOwn(name) || this.exporter(name) !== undefined))
    );
  }

  lookup(name: string): Value {
    if (this.globals.has(name)) return this.globals.lookup(name);
    return this.document().hasOwn(name) ? this.document().lookup(name) : this.exporter(name)?.exported(name);
  }

  locate(name: string): ComponentAddress | undefined {
    if (this.globals.has(name) || !this.isUsable(name)) return undefined;
    return this.document().hasOwn(name)
      ? this.document().locate(name)
      : this.exporter(name)?.locateExport(name);
  }

  private exporter(name: string): Exporter | undefined {
    return [...this.document().imports().values()]
      .map((imported) => imported?.code)
      .find((code) => code?.hasExport(name));
  }
}
