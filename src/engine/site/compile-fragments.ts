/** Compiles the schemas that pages share, including shared schemas that are nested in them. */

import { hashOf } from "../hash-of.ts";
import type { Dependencies } from "../incremental/memo.ts";
import { type CompileContext, nodeDependency } from "./compile-page.ts";
import { embeddedHosts } from "./embedded-hosts.ts";
import type { EmbeddedHosts, Page, PageBody, StoredCut } from "./page.ts";
import type { PageBodies, WithoutBody } from "./page-bodies.ts";
import { printFragment } from "./reference-body.ts";

interface CompiledFragment {
  body: PageBody;
  cuts: StoredCut[];
  hosts: EmbeddedHosts | null;
  dependencies: Dependencies;
}

/** A schema that pages share. `below`: ids of the shared schemas nested in it. */
export interface Fragment extends StoredCut {
  below: readonly string[];
  /** Like `hosts` of a page. */
  hosts: EmbeddedHosts | null;
}

export function compileFragments(pages: readonly Page[], context: CompileContext, bodies: PageBodies): Map<string, Fragment> {
  const fragments = new Map<string, Fragment>();
  const waiting = pages.flatMap((page) => page.summary.cuts.map((cut) => ({ cut, route: page.route })));
  for (const { cut, route } of waiting) {
    if (fragments.has(cut.id)) continue;
    fragments.set(cut.id, { ...cut, below: [], hosts: null });
    const document = context.documents.at(cut.file);
    if (typeof document !== "object") continue;
    const name = fragmentKey(cut.id);
    const key = hashOf(context.settingsKey, JSON.stringify(cut));
    let compiled: WithoutBody<CompiledFragment> | undefined = bodies.find<CompiledFragment>(name, key, context.hashOf);
    if (!compiled) {
      const printed = printFragment(
        cut,
        document,
        context,
        context.renderFor(route, () => {}),
      );
      const dependencies: Dependencies = {};
      const { hashOf } = context;
      if (hashOf)
        for (const pointer of printed.nodes) {
          const dependency = nodeDependency(document.file, pointer);
          dependencies[dependency] = hashOf(dependency);
        }
      const body = { description: "", lead: "", html: printed.html, aside: "", markdown: "", reference: "", toc: "" };
      compiled = bodies.add(name, key, {
        body,
        cuts: printed.cuts,
        hosts: embeddedHosts(body),
        dependencies,
      });
    }
    fragments.set(cut.id, { ...cut, below: compiled.cuts.map(({ id }) => id), hosts: compiled.hosts });
    waiting.push(...compiled.cuts.map((below) => ({ cut: below, route })));
  }
  return fragments;
}

/** Returns the name of a fragment in `PageBodies`. */
export function fragmentKey(id: string): string {
  return `fragment\n${id}`;
}
