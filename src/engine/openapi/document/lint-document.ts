/** Finds problems of OpenAPI documents that the JSON Schema of the specification can't detect. */

import { nearest } from "../../../base/nearest.ts";
import type { Problem } from "../../../base/problem.ts";
import type { ProblemCode } from "../../../base/problem-codes.ts";
import { child, children, entries, type Located, own, ownText, type Refs } from "../nodes/refs.ts";
import { isContentType, isIgnoredHeader, readCodeSample, readServers } from "../request/operation.ts";
import type { OperationEntry } from "../request/operation-list.ts";
import { placeholderIn } from "../request/request-parameters.ts";

/** Reports a problem at a node. Without a pointer, the problem has no position in the file. */
export type ReportAt = (
  code: ProblemCode,
  pointer: string | undefined,
  message: string,
  hint?: string,
  what?: "key" | "value",
) => Problem;

/** Maximum number of problems of one kind that are reported. */
export const reported_count = 10;

export function moreText(more: number): string {
  return more === 0 ? "" : ` (and ${more} more like it)`;
}

/** Reports the first ones of what was found. The last problem says how many more there are. */
export function reportFirst<Found>(found: readonly Found[], toProblem: (one: Found) => Problem): Problem[] {
  const problems = found.slice(0, reported_count).map(toProblem);
  const last = problems.at(-1);
  if (last) last.message += moreText(found.length - problems.length);
  return problems;
}

export function lintDocument(refs: Refs, operations: readonly OperationEntry[], at: ReportAt): Problem[] {
  const problems: Problem[] = [];
  const byId = new Map<string, unknown>();
  for (const { node, pathItem, path, kind } of operations) {
    const id = ownText(node.value, "operationId");
    // Several paths can refer to the same operation.
    if (id !== undefined && (byId.get(id) ?? node.value) !== node.value)
      problems.push(
        at(
          "openapi-operation-id",
          `${node.pointer}/operationId`,
          `Duplicate operationId ${JSON.stringify(id)}`,
        ),
      );
    if (id !== undefined) byId.set(id, node.value);
    for (const key of ["x-hidden", "x-excluded"]) {
      const value = own(node.value, key);
      if (value !== undefined && value !== true)
        problems.push(
          at(
            "openapi-hidden-value",
            `${node.pointer}/${key}`,
            `${key} hides the operation even though its value is ${JSON.stringify(value)}`,
          ),
        );
    }
    if (kind === "operation") problems.push(...lintPathParameters(refs, pathItem, node, path, at));
    problems.push(...lintCodeSamples(node, at));
  }

  problems.push(...lintSecurity(refs, operations, at), ...lintHeaders(refs, operations, at));

  const holders = [
    { value: refs.root, pointer: "#" },
    ...operations.flatMap(({ node, pathItem }) => [node, refs.follow(pathItem) ?? node]),
  ];

  for (const server of new Map(
    holders.flatMap((holder) => children(child(holder, "servers"))).map((node) => [node.pointer, node]),
  ).values())
    problems.push(...lintServer(server, at));

  const components = child({ value: refs.root, pointer: "#" }, "components");
  for (const [name, scheme] of entries(components && child(components, "securitySchemes"))) {
    const prefill = own(scheme.value, "x-default");
    if (prefill !== undefined && typeof prefill !== "string")
      problems.push(
        at(
          "openapi-x-default",
          `${scheme.pointer}/x-default`,
          `The x-default of the security scheme ${name} must be a string`,
          "Put the value in quotes.",
        ),
      );
  }

  const codes = [...new Set(problems.map(({ code }) => code))];
  return codes.flatMap((code) =>
    reportFirst(
      problems.filter((one) => one.code === code),
      (one) => one,
    ),
  );
}

/** Reports security schemes that the document doesn't define, each once. */
function lintSecurity(refs: Refs, operations: readonly OperationEntry[], at: ReportAt): Problem[] {
  const declared = new Set(entries(refs.at("#/components/securitySchemes")).map(([name]) => name));
  const missing = new Map<string, string[]>();
  for (const { node } of [{ node: { value: refs.root, pointer: "#" } }, ...operations])
    for (const requirement of children(child(node, "security")))
      for (const [name] of entries(requirement))
        if (!declared.has(name)) missing.set(name, [...(missing.get(name) ?? []), requirement.pointer]);

  return [...missing].map(([name, [first, ...others]]) => {
    const similar = nearest(name, declared);
    return at(
      "openapi-security-scheme",
      first,
      `The security scheme ${JSON.stringify(name)} isn't in components.securitySchemes${moreText(others.length)}`,
      similar === undefined ? "Add the scheme, or fix its name." : `Did you mean ${similar}?`,
    );
  });
}

/** Reports parameters and headers that OpenAPI ignores, because other parts of a document describe them. */
function lintHeaders(refs: Refs, operations: readonly OperationEntry[], at: ReportAt): Problem[] {
  const ignored = new Map<string, string[]>();
  const add = (name: string, pointer: string) =>
    ignored.set(name, [...new Set([...(ignored.get(name) ?? []), pointer])]);
  for (const { node, pathItem } of operations) {
    for (const entry of [refs.follow(pathItem), node].flatMap((owner) =>
      children(owner && child(owner, "parameters")),
    )) {
      const parameter = refs.follow(entry);
      const name = ownText(parameter?.value, "name") ?? "";
      if (ownText(parameter?.value, "in") === "header" && isIgnoredHeader(name))
        add(name, parameter!.pointer);
    }
    for (const [, response] of entries(child(node, "responses"))) {
      const headers = refs.follow(response);
      for (const [name, header] of entries(headers && child(headers, "headers")))
        if (isContentType(name)) add(name, header.pointer);
    }
  }

  return [...ignored].map(([name, [first, ...others]]) =>
    at(
      "openapi-ignored-header",
      first,
      `OpenAPI ignores the header ${name}${moreText(others.length)}`,
      name.toLowerCase() === "authorization"
        ? "Describe it as a security scheme."
        : "Describe it with the media types of the body and the responses.",
    ),
  );
}

/** Reports code samples without a language or a text. */
function lintCodeSamples(node: Located, at: ReportAt): Problem[] {
  return ["x-codeSamples", "x-code-samples"].flatMap((key) => {
    const listed = child(node, key);
    if (listed && !Array.isArray(listed.value))
      return [at("openapi-code-sample", listed.pointer, `${key} isn't a list`)];
    return children(listed)
      .filter(({ value }) => !readCodeSample(value))
      .map(({ pointer }) =>
        at(
          "openapi-code-sample",
          pointer,
          `The code sample at ${pointer} has no lang or no source that is a text`,
        ),
      );
  });
}

function lintServer(server: Located, at: ReportAt): Problem[] {
  const [read] = readServers([server.value]);
  if (!read) return [];
  const url = read.variables.reduce(
    (text, variable) => text.replaceAll(`{${variable.name}}`, variable.default),
    read.url,
  );
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === "http" || scheme === "https") return [];
  return [at("openapi-server", `${server.pointer}/url`, `Requests can't be sent to ${url.slice(0, 100)}`)];
}

function lintPathParameters(
  refs: Refs,
  pathItem: Located,
  node: Located,
  path: string,
  at: ReportAt,
): Problem[] {
  const named = (owner: Located | undefined) =>
    children(owner && child(owner, "parameters")).flatMap((entry) => {
      const parameter = refs.follow(entry)?.value;
      return ownText(parameter, "in") === "path" ? [ownText(parameter, "name") ?? ""] : [];
    });

  const ofOperation = named(node);
  const shared = named(refs.follow(pathItem));
  const inPath = new Set(
    [...path.matchAll(/\{([^{}]*)\}/g)].map(
      (match) => placeholderIn(match[1]!, [...ofOperation, ...shared]).name,
    ),
  );

  const messages = [
    ...[ofOperation, shared]
      .flatMap((list) => list.filter((name, index) => list.indexOf(name) < index))
      .map((name) => `${path}: the path parameter ${name} is declared twice`),
    ...[...new Set([...ofOperation, ...shared])]
      .filter((name) => !inPath.has(name))
      .map((name) => `The path parameter ${name} isn't in ${path}`),
    ...[...inPath]
      .filter((name) => !ofOperation.includes(name) && !shared.includes(name))
      .map((name) => `{${name}} in ${path} isn't declared as a path parameter`),
  ];

  return messages.map((message) => at("openapi-path-parameter", node.pointer, message, undefined, "key"));
}
