/** All views of an operation agree: document, page, Markdown, form, checker and sample. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { readOperation } from "../../src/engine/openapi/request/operation.ts";
import { operationMarkdown } from "../../src/engine/reference/markdown.ts";
import { renderOperation } from "../../src/engine/reference/operation-page.tsx";
import { contextOf } from "../engine/reference-page.ts";
import { corpusEntries, corpusOf } from "../shared/corpus.ts";
import { FactWalker } from "./document-facts.ts";
import { asVersion3 } from "./swagger2-facts.ts";
import {
  checkerView,
  documentView,
  formView,
  markdownView,
  pageView,
  sampleView,
  type View,
} from "./views.ts";

const files = [corpusOf.openapi, corpusOf.openapiMore].flatMap((folder) =>
  corpusEntries(folder)
    .filter((name) => /-[23]\.\d\.(?:json|ya?ml)$/.test(name))
    .map((name) => path.join(folder, name)),
);

const totals = { operations: 0, facts: 0 };

describe.runIf(files.length > 0)("views agree", () => {
  test.each(files)("%s", async (file) => {
    Object.assign(globalThis, {
      document: { documentElement: { lang: "en" }, getElementById: () => null },
      location: { href: "https://docs.example.com/" },
    });
    const text = readFileSync(file, "utf8");
    const source = file.endsWith(".json")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, merge: true });
    const root = source.swagger ? asVersion3(source) : source;
    const { document } = await readDocument("api.json", JSON.stringify(source));
    const different: string[] = [];
    for (const entry of document!.operations) {
      if (entry.kind === "webhook") continue;
      const walker = new FactWalker(root);
      const item = walker.resolve(root.paths[entry.path]);
      const node = item?.[entry.method] ?? item?.additionalOperations?.[entry.method];
      if (!node) continue;
      const context = contextOf(document!.root);
      const operation = readOperation(context.refs, entry.pathItem, entry.method, entry.path, entry.kind)!;
      const page = renderOperation(operation, context);
      const views: Record<string, View> = {
        document: documentView(walker, item, node),
        page: pageView(page.lead + page.html),
        Markdown: markdownView(operationMarkdown(operation, context)),
        form: formView(operation, context.refs),
        checker: checkerView(operation, context.refs),
        sample: sampleView(operation, context.refs),
      };
      totals.operations++;
      for (const kind of ["parameters", "names", "required", "fields", "bodies", "responses"] as const) {
        const [first, ...others] = Object.entries(views).filter(([, view]) => view[kind] !== undefined);
        const expected = [...new Set(first![1][kind])].sort();
        totals.facts += expected.length;
        for (const [name, view] of others) {
          const found = [...new Set(view[kind])].sort();
          if (found.join("\n") !== expected.join("\n"))
            different.push(
              `${entry.method} ${entry.path} ${kind}: ${name} has [${found.filter((one) => !expected.includes(one))}], ${first![0]} has [${expected.filter((one) => !found.includes(one))}]`,
            );
        }
      }
    }
    expect(different).toEqual([]);
  });

  test("are many", () => {
    expect(totals.operations).toBeGreaterThan(1_900);
    expect(totals.facts).toBeGreaterThan(27_000);
  });
});
