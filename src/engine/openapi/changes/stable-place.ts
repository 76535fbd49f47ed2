import { ownText, type Refs } from "../nodes/refs.ts";

/**
 * Returns a pointer in which the indexes of parameters are replaced by the place and name of the parameter,
 * so that it's the same in all versions of a document.
 */
export function stablePlace(refs: Refs, pointer: string): string {
  const [, list, rest] = /^(.*?\/parameters\/)(\d+(?:\/.*)?)$/.exec(pointer) ?? [];
  if (list === undefined || rest === undefined) return pointer;
  const [index = "", ...inside] = rest.split("/");
  const node = refs.at(`${list}${index}`);
  const parameter = node && refs.follow(node)?.value;
  const name = `${ownText(parameter, "in")}:${ownText(parameter, "name")}`;
  return [`${list}${name}`, ...inside].join("/");
}
