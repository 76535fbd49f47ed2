/**
 * Creates the OpenAPI document for download: the original text, or a copy without restricted and hidden
 * parts.
 */

import { isUtf8 } from "node:buffer";
import { DUMP_SCHEMA, defineScalarTag, dump, intCoreTag } from "js-yaml";
import { decodeText } from "../../base/files.ts";
import type { ApiDocument } from "../openapi/document/api-document.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import {
  entries,
  isRaw,
  own,
  ownText,
  parentOf,
  type Raw,
  Refs,
  removeAt,
  texts,
} from "../openapi/nodes/refs.ts";
import { referencesIn } from "../openapi/nodes/walk-references.ts";
import { methodsOf } from "../openapi/request/operation.ts";
import { closedSchemes, schemesIn } from "../openapi/request/scheme-names.ts";
import { hasConditionalContent, removeConditionalContent } from "../openapi/schema/conditional-texts.ts";
import type { Site } from "../site/build-site.ts";
import { isHidden } from "../site/sources/operation-access.ts";
import type { Audiences } from "./audiences.ts";
import type { FilePart } from "./file-content.ts";

/** Also writes `bigint`s. */
const dumpSchema = DUMP_SCHEMA.withTags(
  defineScalarTag(intCoreTag.tagName, {
    ...intCoreTag,
    identify: (value) => typeof value === "bigint" || intCoreTag.identify(value),
  }),
);

/** Returns the document for download as text, or as bytes if the original isn't changed at all. */
export function servedContent(document: ApiDocument, site: Site, audiences: Audiences): FilePart {
  const removed = [...audiences.restrictedParts(document), ...hiddenOperations(document, site)];
  const isWhole = removed.length === 0 && document.restricted === undefined;
  const conditional = audiences.isForAuthor
    ? []
    : document.operations.filter(({ node }) => hasConditionalContent(node.value));

  const written =
    isWhole && conditional.length === 0 && !document.isRemote && !document.isChanged
      ? site.files.read(document.file)
      : undefined;

  if (written) return isDecodedAsWritten(written) ? written : decodeText(written);
  const root = isWhole && conditional.length === 0 ? document.root : withoutParts(document, removed);
  const refs = new Refs(root);
  for (const { node } of conditional) removeConditionalContent(refs.at(node.pointer)?.value);

  return document.isRemote || /\.json$/i.test(document.file)
    ? `${jsonText(root, 2)}\n`
    : dump(root, { lineWidth: -1, schema: dumpSchema });
}

/** Whether `decodeText` only decodes the text, without replacing or removing any characters. */
function isDecodedAsWritten(bytes: Uint8Array): boolean {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return !hasByteOrderMark && !bytes.includes(13) && isUtf8(bytes);
}

/**
 * Returns pointers to the operations that `api.stripHidden` removes: hidden operations that no page shows.
 */
function hiddenOperations(document: ApiDocument, { config, pages }: Site): string[] {
  if (config.settings.api?.stripHidden !== true) return [];
  const hidden = document.operations
    .filter(({ node }) => isHidden(node.value))
    .map(({ node }) => node.pointer);
  if (hidden.length === 0) return [];
  const shown = new Set<string>();
  for (const { reference } of pages.values())
    if (reference?.kind === "operation" && reference.document === document)
      shown.add(reference.entry.node.pointer);
  return hidden.filter((pointer) => !shown.has(pointer));
}

/**
 * Returns a copy of a document without the operations and schemas at the pointers `removed`. Also removes
 * components and tags that only the removed nodes or the document's restricted parts use.
 */
function withoutParts({ root, restricted }: ApiDocument, removed: readonly string[]): Raw {
  const refs = new Refs(root);
  const nodes = removed.flatMap((pointer) => refs.at(pointer) ?? []);
  const usedThere = reached(
    refs,
    [...(restricted ?? []), ...nodes.flatMap(({ value }) => [...referencesIn(value)])],
    () => true,
  );

  const schemas = removed.filter((pointer) => pointer.startsWith("#/components/"));
  const candidates = new Set(
    [...[...usedThere].map(componentOf), ...schemas].filter((pointer) => pointer.startsWith("#/components/")),
  );

  const copy = structuredClone(root);
  removeSharedOperations(copy, removed);
  for (const pointer of [...removed, ...candidates]) removeAt(copy, pointer);
  removeEmptyPathItems(copy, removed);

  removeUnusedTags(
    copy,
    nodes.flatMap(({ value }) => tagsOf(value)),
  );
  removeUnusedSchemes(copy, schemesIn(nodes.map(({ value }) => value)));

  const needed = reached(refs, referencesIn(copy), (pointer) => candidates.has(componentOf(pointer)));
  for (const pointer of [...candidates].filter((candidate) =>
    [...needed].some((ref) => componentOf(ref) === candidate),
  ))
    put(copy, pointer, refs.at(pointer)?.value);

  return copy;
}

/** Removes the operations at the pointers `removed` from the shared path items that they were read from. */
function removeSharedOperations(root: Raw, removed: readonly string[]): void {
  const refs = new Refs(root);
  const operations = new Set(removed.map((pointer) => refs.at(pointer)?.value));
  for (const [, item] of entries(refs.at("#/components/pathItems")))
    for (const [, value] of entries(item)) if (operations.has(value.value)) removeAt(root, value.pointer);
}

/**
 * Returns the references `from` and all references that are reachable from them. Only follows a reference if
 * `isFollowed` returns true.
 */
function reached(refs: Refs, from: Iterable<string>, isFollowed: (pointer: string) => boolean): Set<string> {
  const found = new Set(from);
  for (const pointer of found) {
    const node = isFollowed(pointer) ? refs.at(componentOf(pointer)) : undefined;
    if (node) for (const ref of referencesIn(node.value)) found.add(ref);
  }
  return found;
}

/**
 * Returns the component that contains a pointer: `#/components/schemas/Pet/properties/id` →
 * `#/components/schemas/Pet`. Returns other pointers unchanged.
 */
function componentOf(pointer: string): string {
  return /^#\/components\/[^/]+\/[^/]+/.exec(pointer)?.[0] ?? pointer;
}

function removeEmptyPathItems(root: Raw, removed: readonly string[]): void {
  const touched = new Set(removed.map((pointer) => pointer.slice(0, pointer.lastIndexOf("/"))));
  const refs = new Refs(root);
  for (const field of ["paths", "webhooks"]) {
    for (const [, item] of entries(refs.at(`#/${field}`))) {
      const target = refs.follow(item) ?? item;
      if (touched.has(target.pointer) && methodsOf(target).length === 0) removeAt(root, item.pointer);
    }
  }
}

/**
 * Removes tags that only removed operations have, since the tags would reveal information about these
 * operations.
 */
function removeUnusedTags(root: Raw, tags: readonly string[]): void {
  if (tags.length === 0) return;
  const refs = new Refs(root);
  const unused = new Set(tags);
  for (const field of ["paths", "webhooks"])
    for (const [, item] of entries(refs.at(`#/${field}`))) {
      const target = refs.follow(item) ?? item;
      for (const method of methodsOf(target))
        for (const tag of tagsOf(own(target.value, method))) unused.delete(tag);
    }

  if (Array.isArray(root.tags))
    root.tags = root.tags.filter((tag) => !unused.has(ownText(tag, "name") ?? ""));
  const groups = root["x-tagGroups"];
  if (!Array.isArray(groups)) return;
  root["x-tagGroups"] = groups.flatMap((group: unknown) => {
    const listed = own(group, "tags");
    if (!Array.isArray(listed)) return [group];
    const remaining = listed.filter((tag) => !unused.has(tag));
    return remaining.length || !listed.length ? [{ ...(group as Raw), tags: remaining }] : [];
  });
}

/** Removes security schemes that only removed operations use. `names`: schemes that these operations use. */
function removeUnusedSchemes(root: Raw, names: ReadonlySet<string>): void {
  const schemes = own(own(root, "components"), "securitySchemes");
  if (!isRaw(schemes) || names.size === 0) return;
  for (const name of closedSchemes(root, names, schemesIn(root))) delete schemes[name];
}

function tagsOf(operation: unknown): string[] {
  return texts(own(operation, "tags"));
}

function put(root: Raw, pointer: string, value: unknown): void {
  const at = parentOf(root, pointer);
  if (at && value !== undefined) at.node[at.key] = value;
}
