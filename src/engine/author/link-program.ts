/** Links a file of author code with its imports, for the sandbox and for scripts of islands. */

import { createHash } from "node:crypto";
import { hookNames, javascriptNames } from "./javascript-names.ts";
import { type CodeFile, type ComponentAddress, type Imported, Snippet } from "./values.ts";

/** A file of author code with all of its imports, linked into one JavaScript expression. */
export interface Program {
  /** An arrow function that takes the runtime `$o` and returns the exports of the entry file. */
  source: string;
  /** The first 16 hexadecimal digits of the SHA-256 of `source`. */
  hash: string;
  /** Imported snippets. The program refers to them by index. */
  snippets: Snippet[];
  /** Component names of the JSX tags in the program. */
  tags: ReadonlySet<string>;
}

/** Members of the runtime `$o` that every program can use as variables. */
const given = [...hookNames, "React", "Fragment", "user"];

/**
 * Links a file with all of its imports. Files are numbered in the order of their first import. Throws the
 * errors of `compile`.
 */
export function linkProgram(entry: CodeFile, compile: (path: string, source: string) => string): Program {
  const files: CodeFile[] = [entry];
  const snippets: Snippet[] = [];
  const modules: string[] = [];
  const tags = new Set<string>();
  const outer = new Map<string, string>();
  // `link` appends files during the iteration.
  for (const file of files) {
    for (const tag of file.tags) {
      tags.add(tag);
      const found = outer.has(tag) ? undefined : file.outer(tag);
      if (found)
        outer.set(
          tag,
          found instanceof Snippet ? `$o.snippet(${snippets.push(found) - 1})` : late(found, files),
        );
    }
    const imports = [...file.imports()].flatMap(([specifier, imported]): [string, Link][] =>
      imported ? [[specifier, link(imported, files, snippets)]] : [],
    );
    const packages = [...file.packages].map(([specifier, names]) => {
      const members = names.flatMap(({ imported, component }) => {
        if (component === undefined) return [];
        if (typeof component === "string") tags.add(component);
        const code =
          typeof component === "string"
            ? `$o.platform(${JSON.stringify(component)})`
            : `$o.snippet(${snippets.push(component) - 1})`;
        return [`${JSON.stringify(imported)}: ${code}`];
      });
      return `${JSON.stringify(specifier)}: { __esModule: true, ${members.join(", ")} }`;
    });
    modules.push(
      `[(require, module, exports) => {\n${compile(file.path, file.source)}\n}, ${JSON.stringify(Object.fromEntries(imports))}, { ${packages.join(", ")} }]`,
    );
  }
  const source = programSource(modules, [...tags].sort(), outer);
  return { source, hash: createHash("sha256").update(source).digest("hex").slice(0, 16), snippets, tags };
}

/** Returns the code of a component that loads another file of the program when it's rendered. */
function late({ file, path }: ComponentAddress, files: CodeFile[]): string {
  if (!files.includes(file)) files.push(file);
  const keys = path.split(".").map((key) => `[${JSON.stringify(key)}]`);
  return `(props) => $o.h(load(${files.indexOf(file)})${keys.join("")}, props)`;
}

/** The index of a file in the program, and the index of the snippet if the import is a snippet. */
type Link = [file: number, snippet?: number];

function link({ code, snippet }: Imported, files: CodeFile[], snippets: Snippet[]): Link {
  if (!files.includes(code)) files.push(code);
  const file = files.indexOf(code);
  return snippet ? [file, snippets.push(snippet) - 1] : [file];
}

/**
 * Returns the source of a program. Each name in `tags` becomes a variable with the built-in component of that
 * name, unless JavaScript or `$o` defines the name. `outer`: code of the components that come from the
 * document instead. Names that a file defines shadow these variables.
 */
function programSource(modules: string[], tags: string[], outer: ReadonlyMap<string, string>): string {
  const platform = tags.filter((tag) => !given.includes(tag) && !javascriptNames.has(tag));
  return `($o) => {
const { ${given.join(", ")} } = $o;
${platform.map((tag) => `const ${tag} = ${outer.get(tag) ?? `$o.platform("${tag}")`};\n`).join("")}const files = [
${modules.join(",\n")}
];
const loaded = [];
const load = (file) => {
  if (!loaded[file]) {
    const module = (loaded[file] = { exports: {} });
    const [run, imports, packages] = files[file];
    run((name) => $o.provided(name) ?? packages[name] ?? bring(imports[name]), module, module.exports);
  }
  return loaded[file].exports;
};
const bring = (link) => {
  // The missing file is already reported. Its components show their content, and code that doesn't use the
  // import works.
  if (!link) return new Proxy({ __esModule: true }, { get: (target, key) => (/^[A-Z]/.test(String(key)) ? $o.platform(key) : target[key]) });
  const exports = load(link[0]);
  return link.length === 1 ? exports : { ...exports, default: $o.snippet(link[1]), __esModule: true };
};
return load(0);
}`;
}
