/** A hostile OpenAPI document: a payload in every text of the document. */

import { type BuiltSite, buildSiteFrom } from "../engine/build.ts";

/** Scripts that call `__pwn`. */
const calls = ["__pwn()", "window.__pwn()", "top.__pwn()"];

const markup = [
  (call: string) => `<script>${call}</script>`,
  (call: string) => `<img src=x onerror=${call}>`,
  (call: string) => `<svg onload="${call}"></svg>`,
  (call: string) => `<svg><script>${call}</script></svg>`,
  (call: string) => `<details open ontoggle=${call}>x</details>`,
  (call: string) => `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  (call: string) => `<iframe src="javascript:parent.${call}"></iframe>`,
  (call: string) => `<body onload=${call}>`,
  (call: string) => `<input autofocus onfocus=${call}>`,
  (call: string) => `<video><source onerror=${call}></video>`,
  (call: string) =>
    `<math><mtext><table><mglyph><style><img src=x onerror=${call}></style></mglyph></table></mtext></math>`,
  (call: string) => `</textarea></title></style></script><script>${call}</script>`,
  (call: string) => `"><img src=x onerror=${call}>`,
  (call: string) => `'><img src=x onerror=${call}>`,
  (call: string) => `--><img src=x onerror=${call}><!--`,
  (call: string) => `\`\`\`<img src=x onerror=${call}>`,
  (call: string) => `<a href="javascript:${call}" id=hit>hit</a>`,
  (call: string) => `<a href="java\tscript:${call}">hit</a>`,
  (call: string) => `<a href="&#106;avascript:${call}">hit</a>`,
  (call: string) => `<a href=" \u0001javascript:${call}">hit</a>`,
  (call: string) => `<form action="javascript:${call}"><button>hit</button></form>`,
  (call: string) => `<object data="javascript:${call}"></object>`,
  (call: string) => `<embed src="javascript:${call}">`,
  (call: string) => `<base href="https://sink.example/${call.length}/">`,
  (call: string) => `<marquee onstart=${call}>x</marquee>`,
  (call: string) => `<a xlink:href="javascript:${call}" href=\n"javascript:${call}">hit</a>`,
  (call: string) => `<meta http-equiv="refresh" content="0;url=javascript:${call}">`,
  (call: string) => `<link rel=stylesheet href="https://sink.example/x.css" onload=${call}>`,
  (call: string) => `<style>@import "https://sink.example/${call.length}.css"</style>`,
  (call: string) => `<img srcset="https://sink.example/x 1x" onerror=${call}>`,
  (call: string) => `[hit](javascript:${call})`,
  (call: string) => `[hit](JaVaScRiPt:${call})`,
  (call: string) => `[hit](data:text/html,<script>${call}</script>)`,
  (call: string) => `[hit](vbscript:${call})`,
  (call: string) => `![hit](javascript:${call})`,
  (call: string) => `[hit]: javascript:${call}\n\n[hit]`,
  (call: string) => `<javascript:${call}>`,
  (call: string) => `javascript:${call}//`,
  (call: string) => `x" onmouseover="${call}" autofocus onfocus="${call}`,
  (call: string) => `x' onclick='${call}' y='`,
  (call: string) => `\${${call}}`,
  (call: string) => `{${call}}`,
  (call: string) => `{{constructor.constructor("${call}")()}}`,
  (call: string) => `<Card href="javascript:${call}">hit</Card>`,
  (call: string) => `<div style="background:url(https://sink.example/y)" onclick=${call}>x</div>`,
  (call: string) => `\u2028<script>${call}</script>\u2029`,
  (call: string) => `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${call}</x:script>`,
  (call: string) => `<noscript><p title="</noscript><img src=x onerror=${call}>">`,
  (call: string) => `<template><script>${call}</script></template><img src=x onerror=${call}>`,
  (call: string) => `<button popovertarget=x onclick=${call}>hit</button>`,
  (call: string) => `</script><script>${call}</script>`,
  (call: string) => `<SCRIPT SRC=https://sink.example/s.js></SCRIPT><!--${call}-->`,
];

/** Each script in each kind of markup. */
export const payloads: readonly string[] = calls.flatMap((call) => markup.map((make) => make(call)));

/** Each operation uses the next payloads, so that each payload occurs in every kind of field. */
export function hostileDocument(pages: number): string {
  let next = 0;
  const evil = () => payloads[next++ % payloads.length]!;
  const key = (word: string) => `${word}${evil()}`;
  const schema = (depth: number): object => ({
    title: evil(),
    description: evil(),
    type: "object",
    "x-platform": { pre: [evil()], post: [evil()] },
    externalDocs: { url: evil(), description: evil() },
    properties: {
      [key("p")]: {
        type: "string",
        title: evil(),
        description: evil(),
        format: evil(),
        pattern: evil(),
        default: evil(),
        example: evil(),
      },
      [key("e")]: { type: "string", enum: [evil(), evil()], const: evil(), "x-default": evil() },
      [key("u")]: {
        oneOf: [
          {
            title: evil(),
            type: "object",
            properties: { [key("k")]: { type: "string", description: evil() } },
          },
          { title: evil(), type: "string" },
        ],
        discriminator: { propertyName: evil(), mapping: { [evil()]: "#/components/schemas/S" } },
      },
      ...(depth ? { [key("o")]: schema(depth - 1) } : {}),
      deep: { $ref: "#/components/schemas/S" },
    },
    additionalProperties: { type: "string", description: evil() },
    xml: { name: evil() },
  });
  const media = () => ({
    "application/json": {
      schema: schema(1),
      examples: { [key("x")]: { summary: evil(), description: evil(), value: { [evil()]: evil() } } },
    },
    [`text/${evil()}`]: { schema: { type: "string" }, example: evil() },
    "application/xml": { schema: schema(0) },
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: { [key("f")]: { type: "string", format: "binary", description: evil() } },
      },
      encoding: { [evil()]: { contentType: evil() } },
    },
  });
  const operation = (): object => ({
    summary: evil(),
    description: evil(),
    operationId: evil(),
    tags: [key("t")],
    externalDocs: { url: evil(), description: evil() },
    "x-codeSamples": [{ lang: evil(), label: evil(), source: evil() }],
    "x-platform": {
      content: plain(evil()),
      metadata: { title: evil(), sidebarTitle: evil(), description: evil(), tag: evil() },
    },
    parameters: (["query", "header", "cookie"] as const).map((place) => ({
      name: key("q"),
      in: place,
      description: evil(),
      example: evil(),
      schema: { type: "string", enum: [evil()], default: evil(), description: evil() },
    })),
    requestBody: { description: evil(), content: media() },
    responses: {
      200: {
        description: evil(),
        headers: { [key("h")]: { description: evil(), schema: { type: "string", example: evil() } } },
        content: media(),
        links: { [key("l")]: { operationId: evil(), description: evil(), parameters: { [evil()]: evil() } } },
      },
    },
    callbacks: {
      [key("c")]: {
        [key("{$request.body#/url}")]: {
          post: { summary: evil(), responses: { 200: { description: evil() } } },
        },
      },
    },
    servers: [
      {
        url: "http://127.0.0.1:9/{v}",
        description: evil(),
        variables: { v: { default: evil(), enum: [evil()], description: evil() } },
      },
      { url: evil(), description: evil() },
    ],
    security: [{ [key("s")]: [evil()] }],
  });
  /** Returns the text unchanged. */
  const plain = (text: string) => text;
  const paths: Record<string, object> = {};
  for (let n = 0; n < pages; n++) paths[`/p${n}/${evil().replace(/[{}/]/g, "")}`] = { post: operation() };
  const names = Object.values(paths).flatMap(
    ({ post }: { post?: { security: object[]; tags: string[] } }) => ({
      schemes: Object.keys(post!.security[0]!),
      tags: post!.tags,
    }),
  );
  return JSON.stringify({
    openapi: "3.1.0",
    info: {
      title: evil(),
      version: evil(),
      description: evil(),
      termsOfService: evil(),
      contact: { name: evil(), url: evil() },
      license: { name: evil(), url: evil() },
    },
    tags: names.flatMap(({ tags }) => tags.map((name) => ({ name, description: evil(), "x-group": evil() }))),
    paths,
    components: {
      schemas: { S: schema(2) },
      securitySchemes: Object.fromEntries(
        names.flatMap(({ schemes }, n) =>
          schemes.map((name) => [
            name,
            n % 2
              ? { type: "apiKey", in: "header", name: evil(), description: evil(), "x-default": evil() }
              : {
                  type: "oauth2",
                  description: evil(),
                  flows: {
                    implicit: { authorizationUrl: evil(), scopes: { [evil()]: evil() } },
                    clientCredentials: { tokenUrl: evil(), scopes: {} },
                  },
                },
          ]),
        ),
      ),
    },
  });
}

const pages_count = 24;

/** Builds a site with the document, whose playgrounds are filled in and whose schemas are expanded. */
export function hostileDocumentSite(): Promise<BuiltSite> {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index"] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  return buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation,
      api: { examples: { prefill: true }, params: { expanded: "all", post: ["title"] } },
    }),
    "index.mdx": "Home",
    "api.json": hostileDocument(pages_count),
  });
}

/**
 * The pages of the overview, operations, schemas and the navigation, without redirects. Throws an Error if a
 * page is missing.
 */
export function documentFiles(site: BuiltSite): string[] {
  const below = (folder: string) =>
    site.paths.filter((path) => path.startsWith(folder) && path.endsWith(".html"));
  // Redirects from the paths of folders have no content.
  const pages = below("api-reference/").filter((path) => site.read(path).includes('id="content-area"'));
  if (pages.length !== pages_count + 1)
    throw new Error(`Expected ${pages_count} operations and an overview, found ${pages.length} pages`);
  return [...pages, ...below("_octavo/schemas/"), ...below("_octavo/nav/")];
}
