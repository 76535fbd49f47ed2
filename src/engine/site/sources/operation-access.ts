/** Reads who may see an operation: whether it's hidden, and its groups. */

import { mayRestrictAccess } from "../../access-words.ts";
import { checkFrontmatter } from "../../config/frontmatter.ts";
import { platformExtension } from "../../openapi/nodes/extensions.ts";
import { isRaw, own } from "../../openapi/nodes/refs.ts";
import type { OperationTarget } from "./operation-target.ts";

/** Whether an operation has `x-hidden` or `x-excluded`, regardless of the value. */
export function isHidden(operation: unknown): boolean {
  return isRaw(operation) && (Object.hasOwn(operation, "x-hidden") || Object.hasOwn(operation, "x-excluded"));
}

/**
 * Returns the combined groups of an operation, its path item and their metadata. Empty if the operation is
 * internal, or if one of them has an access rule that Octavo doesn't know. Undefined if there are no groups
 * and no such rules.
 */
export function groupsOf(target: OperationTarget): string[] | undefined {
  if (isInternal(target) || unknownRule(target) !== undefined) return [];
  const named = accessLevels(target)
    .map(([, level]) => own(level, "groups"))
    .filter((groups) => groups !== undefined && groups !== null);
  return named.length
    ? [...new Set(named.flatMap((groups) => checkFrontmatter({ groups }, () => {}).groups ?? []))]
    : undefined;
}

/** Returns `public` in the metadata of an operation. Undefined if it isn't set. */
export function publicOf({ entry }: OperationTarget): boolean | undefined {
  const isPublic = own(platformExtension(entry.node.value).metadata, "public");
  return checkFrontmatter({ public: isPublic }, () => {}).public;
}

/**
 * Whether an operation or its path item has `x-internal`, with any value except `false`. Several tools leave
 * out such operations.
 */
function isInternal({ document, entry }: OperationTarget): boolean {
  return [document.refs.follow(entry.pathItem), entry.node].some(
    (node) => ![undefined, null, false].includes(own(node?.value, "x-internal") as never),
  );
}

/**
 * Returns the name of an operation's first access rule that Octavo doesn't know. Undefined if there is none.
 */
export function unknownRule(target: OperationTarget): string | undefined {
  for (const [name, level] of accessLevels(target))
    for (const [key, value] of isRaw(level) ? Object.entries(level) : []) {
      const isKnown = key === "groups" || (key === "public" && name === operationMetadata);
      if (!isKnown && mayRestrictAccess(key, value)) return `${name}.${key}`;
    }
  return undefined;
}

const operationMetadata = "x-platform.metadata";

/** The objects that can have an operation's access rules, and their names in messages. */
function accessLevels({ document, entry }: OperationTarget): [name: string, level: unknown][] {
  const item = platformExtension(document.refs.follow(entry.pathItem)?.value);
  const extension = platformExtension(entry.node.value);
  return [
    ["x-platform of the path", item],
    ["x-platform.metadata of the path", item.metadata],
    ["x-platform", extension],
    [operationMetadata, extension.metadata],
  ];
}
