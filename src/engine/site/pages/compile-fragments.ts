/**
 * Compiles fragments: the schemas that pages omit because they share them, including shared schemas that are
 * nested in these.
 */

import { hashOf } from "../../hash-of.ts";
import type { Dependencies } from "../../incremental/memo.ts";
import type { EmbeddedHosts, PageBody } from "../../page/body.ts";
import { BodyReader } from "../../page/read-body.ts";
import type { PageThreads } from "../other-threads.ts";
import type { FragmentTask, Page, PageLink, StoredCut } from "../page.ts";
import { type CompileContext, nodeDependency } from "./compile-context.ts";
import type { PageBodies, WithoutBody } from "./page-bodies.ts";
import { printFragment } from "./reference-body.ts";

interface CompiledFragment {
  body: PageBody;
  cuts: StoredCut[];
  links: PageLink[];
  hosts: EmbeddedHosts | null;
  dependencies: Dependencies;
}

/** A schema that pages share. `below`: ids of the shared schemas nested in it. */
export interface Fragment extends StoredCut {
  below: readonly string[];
  links: readonly PageLink[];
  /** Like `hosts` of a page. */
  hosts: EmbeddedHosts | null;
}

/**
 * Returns the ids of the schemas that pages share, directly or in another shared schema, in order. Leaves out
 * the ids in `known`, and schemas that are only in these.
 */
export function fragmentsOf(
  pages: readonly Page[],
  { fragments }: { fragments: ReadonlyMap<string, Fragment> },
  known: ReadonlySet<string> = new Set(),
): Set<string> {
  const isNew = (id: string) => fragments.has(id) && !known.has(id);
  const ids = new Set(pages.flatMap((page) => page.summary.cuts.map(({ id }) => id)).filter(isNew));
  for (const id of ids) for (const below of fragments.get(id)!.below) if (isNew(below)) ids.add(below);
  return ids;
}

/**
 * Compiles the fragments of the pages and adds their bodies to `bodies`. Resolves with the fragments by ID. A
 * fragment whose document couldn't be read has no body and no links. `threads`: other threads, which compile
 * some of the fragments.
 */
export async function compileFragments(
  pages: readonly Page[],
  context: CompileContext,
  bodies: PageBodies,
  threads?: PageThreads,
): Promise<Map<string, Fragment>> {
  const fragments = new Map<string, Fragment>();
  const waiting = pages.flatMap((page) =>
    page.summary.cuts.map((cut): FragmentTask => ({ cut, route: page.route })),
  );
  const known = threads?.count ? await compileShare(waiting, context, bodies, threads) : undefined;
  // Grows in the loop by the fragments that are nested in a compiled one.
  for (const task of waiting) {
    const { cut, route } = task;
    if (fragments.has(cut.id)) continue;
    fragments.set(cut.id, { ...cut, below: [], links: [], hosts: null });
    const compiled =
      known?.get(cut.id) ?? knownFragment(cut, context, bodies) ?? compileFragment(task, context, bodies);
    if (!compiled) continue;
    const { links, hosts } = compiled;
    fragments.set(cut.id, { ...cut, below: compiled.cuts.map(({ id }) => id), links, hosts });
    waiting.push(...compiled.cuts.map((below) => ({ cut: below, route })));
  }

  return fragments;
}

/**
 * Compiles new fragments, some of them in other threads. Resolves with the known fragments and with those of
 * this thread, by id.
 */
async function compileShare(
  tasks: readonly FragmentTask[],
  context: CompileContext,
  bodies: PageBodies,
  threads: PageThreads,
): Promise<Map<string, WithoutBody<CompiledFragment> | undefined>> {
  const known = new Map<string, WithoutBody<CompiledFragment> | undefined>();
  const missing: FragmentTask[] = [];
  for (const task of tasks) {
    if (known.has(task.cut.id)) continue;
    const found = knownFragment(task.cut, context, bodies);
    known.set(task.cut.id, found);
    if (!found) missing.push(task);
  }
  const share = Math.ceil(missing.length / (threads.count + 1));
  const compiled = threads.compileFragments(missing.slice(share));
  for (const task of missing.slice(0, share)) known.set(task.cut.id, compileFragment(task, context, bodies));
  await compiled;
  return known;
}

/** Returns a fragment from an earlier build or another thread. */
function knownFragment(
  cut: StoredCut,
  context: CompileContext,
  bodies: PageBodies,
): WithoutBody<CompiledFragment> | undefined {
  return bodies.find<CompiledFragment>(fragmentKey(cut.id), keyOf(cut, context), context.hashOf);
}

/** Compiles a fragment and adds it to `bodies`. Undefined if its document couldn't be read. */
export function compileFragment(
  { cut, route }: FragmentTask,
  context: CompileContext,
  bodies: PageBodies,
): WithoutBody<CompiledFragment> | undefined {
  const document = context.documents.at(cut.file);
  if (typeof document !== "object") return undefined;

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

  const reader = new BodyReader("");
  const body = reader.readBody({
    description: "",
    lead: "",
    html: printed.html,
    aside: "",
    markdown: "",
    reference: printed.markdown,
    toc: "",
  });

  return bodies.add(fragmentKey(cut.id), keyOf(cut, context), {
    body,
    cuts: printed.cuts,
    links: printed.links,
    hosts: reader.embeddedHosts,
    dependencies,
  });
}

function keyOf(cut: StoredCut, { settingsKey }: CompileContext): string {
  return hashOf(settingsKey, JSON.stringify(cut));
}

/** Returns the name of a fragment in `PageBodies`. */
export function fragmentKey(id: string): string {
  return `fragment\n${id}`;
}
