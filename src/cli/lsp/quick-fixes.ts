/** Creates quick fixes for problems whose hint says what to write. */

import { type CodeAction, CodeActionKind, type Diagnostic } from "vscode-languageserver";
import type { DiagnosticData } from "./diagnostics.ts";

const wordCharacter = /[\w$-]/;

/** `lines`: the lines of the file. */
export function quickFixes(
  diagnostics: readonly Diagnostic[],
  uri: string,
  lines: readonly string[],
): CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    const { message, hint = "" } = (diagnostic.data ?? {}) as Partial<DiagnosticData>;
    const suggested =
      /^Did you mean (.+?)\?/.exec(hint)?.[1] ?? /^Write ("(?:[^"\\]|\\.)*")\.$/.exec(hint)?.[1];
    if (message === undefined || suggested === undefined || suggested.includes(" or ")) return [];

    // Without quotes, it's the path of a setting, which can't replace a key.
    if (uri.endsWith(".json") && !suggested.startsWith('"')) return [];

    const { line, character } = diagnostic.range.start;
    const text = lines[line] ?? "";
    const marked = { start: character, end: diagnostic.range.end.character };
    const isString = /^"[^"]*"$/.test(text.slice(marked.start, marked.end));
    const newText = isString ? JSON.stringify(plain(suggested)) : plain(suggested);
    const found = isString ? marked : namedIn(message).flatMap((wrong) => placeOf(wrong, text, character))[0];
    if (!found || newText === text.slice(found.start, found.end)) return [];

    const range = { start: { line, character: found.start }, end: { line, character: found.end } };
    return [
      {
        title: `Change to ${newText}`,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit: { changes: { [uri]: [{ range, newText }] } },
      },
    ];
  });
}

/** Returns the names that a problem's message contains, the likeliest one to be wrong first. */
function namedIn(message: string): string[] {
  const quoted = [...message.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([text]) => plain(text));
  const afterColon = /: (\S+)$/.exec(message)?.[1];
  const prop = /has no prop (\S+)$/.exec(message)?.[1];
  const tag = /<([\w.]+)>/.exec(message)?.[1];
  const key = /^(\S+) has no effect/.exec(message)?.[1];
  return [prop, afterColon, key?.split(".").at(-1), ...quoted, tag].flatMap((name) =>
    name === undefined ? [] : [plain(name)],
  );
}

/** Removes quotes and angle brackets around a name. */
function plain(name: string): string {
  if (/^".*"$/.test(name)) {
    try {
      return String(JSON.parse(name));
    } catch {
      return name.slice(1, -1);
    }
  }
  return name.replace(/^<(.*)>$/, "$1");
}

/** Finds a whole name in a line: after a position, or else anywhere if it's there only once. */
function placeOf(name: string, text: string, from: number): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  if (name === "") return places;
  for (
    let start = text.indexOf(name);
    start >= 0 && places.length < 100;
    start = text.indexOf(name, start + 1)
  ) {
    const end = start + name.length;
    const isWhole = (outside: string, inside: string) =>
      !(wordCharacter.test(outside) && wordCharacter.test(inside));
    if (
      isWhole(text.charAt(start - 1), name.charAt(0)) &&
      isWhole(text.charAt(end), name.charAt(name.length - 1))
    )
      places.push({ start, end });
  }
  const after = places.find(({ start }) => start >= from);
  if (after) return [after];
  return places.length === 1 ? places : [];
}
