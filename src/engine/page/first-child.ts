import type { ContentNode } from "../content.ts";

/** Elements that must be the first child of their parent, by the name of the parent. */
const firstChildren: ReadonlyMap<string, string> = new Map([
  ["details", "summary"],
  ["fieldset", "legend"],
]);

/**
 * Moves the summary of `<details>`, or the legend of `<fieldset>`, out of the paragraph that Markdown puts
 * around it, to the start.
 */
export function withFirstChild(name: string, children: ContentNode[]): ContentNode[] {
  const first = firstChildren.get(name);
  if (first === undefined) return children;
  const isFirst = (node: ContentNode) => typeof node === "object" && node.name === first;
  const at = children.findIndex(
    (child) =>
      typeof child === "object" && (child.name === "p" || child.name === "") && child.children.some(isFirst),
  );

  const around = children[at];
  if (typeof around !== "object" || children.slice(0, at).some(isFirst)) return children;
  const index = around.children.findIndex(isFirst);
  const rest = around.children.toSpliced(index, 1);
  const isBlank = rest.every((node) => typeof node === "string" && node.trim() === "");
  return [
    around.children[index]!,
    ...children.slice(0, at),
    ...(isBlank ? [] : [{ ...around, children: rest }]),
    ...children.slice(at + 1),
  ];
}
