import type * as acorn from "acorn";
import { parseModule } from "./javascript-syntax.ts";
import type { CodeFile } from "./values.ts";

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/**
 * Returns a file with only the statements that the top-level name `name` could use, so that the script of a
 * component doesn't contain other code of its page. Compares words, so it can keep statements that aren't
 * used.
 */
export function usedCode(file: CodeFile, name: string): CodeFile {
  const statements = parseModule(file.source).body;
  const declared = statements.map(declaredNames);
  const reached = new Set([name]);
  const kept = new Set<number>();
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const [index, { start, end }] of statements.entries()) {
      const own = declared[index];
      // Statements without names have effects, or export names that aren't known.
      if (kept.has(index) || (own?.length && !own.some((one) => reached.has(one)))) continue;
      kept.add(index);
      for (const found of file.source.slice(start, end).match(word) ?? []) reached.add(found);
    }
  }

  const used = statements.filter((_, index) => kept.has(index));
  const specifiers = new Set(
    used.flatMap((node) => ("source" in node && node.source ? [node.source.value] : [])),
  );

  return {
    path: file.path,
    source: used.map(({ start, end }) => file.source.slice(start, end)).join("\n"),
    exports: file.exports,
    tags: file.tags,
    packages: file.packages,
    imports: () => new Map([...file.imports()].filter(([specifier]) => specifiers.has(specifier))),
    outer: (tag) => file.outer(tag),
  };
}

/** Returns the names that a statement declares or exports. Empty if it doesn't declare any. */
function declaredNames(node: acorn.Program["body"][number]): string[] {
  switch (node.type) {
    case "ImportDeclaration":
      return node.specifiers.map(({ local }) => local.name);
    case "ExportDefaultDeclaration":
      return [
        "default",
        ...("id" in node.declaration && node.declaration.id ? [node.declaration.id.name] : []),
      ];
    case "ExportNamedDeclaration":
      if (node.declaration) return declaredNames(node.declaration);
      return node.specifiers.map(({ exported }) =>
        exported.type === "Identifier" ? exported.name : String(exported.value),
      );
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => namesIn(id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

function namesIn(pattern: acorn.Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "Property" ? property.value : property.argument),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}
