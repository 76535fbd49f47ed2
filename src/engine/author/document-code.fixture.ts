/** Helpers that open documents in tests of author code. */

import type { Problem } from "../../base/problem.ts";
import { type ContentNode, element, type Props } from "../content.ts";
import { type DocumentCode, type LoadedImport, openDocumentCode } from "./document-code.ts";
import { Sandbox } from "./sandbox.ts";

export const place = { file: "page.mdx", line: 10 };
export const sandbox: Sandbox = new Sandbox(Date.now);
await sandbox.ready();

export interface Opened {
  code: DocumentCode;
  problems: string[];
}

/** Opens a document. Files in `given.files` are snippets if their name ends in `.mdx`, and code otherwise. */
export function open(
  esm: string,
  given: { files?: Record<string, string>; props?: Props; children?: ContentNode[] } = {},
): Opened {
  const problems: string[] = [];
  const report = (problem: Problem) => problems.push(problem.code);
  const load = (specifier: string): LoadedImport | undefined => {
    const source = given.files?.[specifier];
    if (source === undefined) return undefined;
    if (!specifier.endsWith(".mdx")) return { kind: "code", file: specifier, source };

    const snippet = openDocumentCode({
      file: specifier,
      esm: [{ source, line: 1 }],
      props: {},
      children: [],
      load,
      report,
      sandbox,
    });

    return {
      kind: "snippet",
      code: snippet,
      expand: (props, children) => [element("section", props, children)],
    };
  };

  const { props = {}, children = [] } = given;
  return {
    code: openDocumentCode({
      file: "page.mdx",
      esm: esm ? [{ source: esm, line: 1 }] : [],
      props,
      children,
      load,
      report,
      sandbox,
    }),
    problems,
  };
}

/** Writes content as text, with property values as JSON: `<b class="x">text</b>`. */
export function show(nodes: ContentNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      const props = Object.entries(node.props).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      return `<${node.name}${props.join("")}>${show(node.children)}</${node.name}>`;
    })
    .join("");
}
