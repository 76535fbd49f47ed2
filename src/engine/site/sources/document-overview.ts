/** Creates the content of a document's overview: the texts about the whole API and its tags. */

import { type ContentElement, type ContentNode, element } from "../../content.ts";
import type { SiteMessages } from "../../i18n/messages.ts";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import { resolveSecurity } from "../../openapi/document/document-urls.ts";
import { jsonText } from "../../openapi/nodes/json-text.ts";
import { isRaw, own, ownText, texts } from "../../openapi/nodes/refs.ts";
import { declaredTags, tagLabel } from "../../openapi/nodes/tags.ts";
import { readServers, type Server } from "../../openapi/request/operation.ts";
import { closedSchemes, schemesIn } from "../../openapi/request/scheme-names.ts";
import { readSecurity, type SecurityScheme } from "../../openapi/request/security.ts";
import { externalDocsOf } from "../../openapi/schema/schema-view.ts";
import { credentialLocation, flowTexts, schemeLabel } from "../../reference/authorization.tsx";
import { descriptionContent } from "./description.ts";
import { groupsOf, isHidden } from "./operation-access.ts";
import type { OperationTarget } from "./operation-target.ts";

interface Overview {
  title: string;
  summary?: string | undefined;
  description?: string | undefined;
  version?: string | undefined;
  contact?: NamedLink | undefined;
  license?: NamedLink | undefined;
  termsOfService?: string | undefined;
  externalDocs?: { url: string; description?: string } | undefined;
  servers: Server[];
  schemes: SecurityScheme[];
  tags: {
    label: string;
    texts: string[];
    externalDocs?: { url: string; description?: string } | undefined;
  }[];
}

interface NamedLink {
  name?: string | undefined;
  url?: string | undefined;
  /** Email of a contact, or SPDX identifier of a license. */
  more?: string | undefined;
}

/** Returns the title of a document: `info.title`, or else its path or URL. */
export function documentTitle({ root, file }: ApiDocument): string {
  return ownText(own(root, "info"), "title")?.trim() || file;
}

/** Whether a document has texts that no page of an operation shows. */
export function hasOverview(document: ApiDocument): boolean {
  const { summary, description, tags } = readOverview(document);
  return summary !== undefined || description !== undefined || tags.length > 0 || hasImprint(document);
}

/** Whether a document has texts other than the title, the version and the description. */
export function hasImprint(document: ApiDocument): boolean {
  const { contact, license, termsOfService, externalDocs, tags } = readOverview(document);
  return (
    [contact, license, termsOfService, externalDocs].some((part) => part !== undefined) || tags.length > 0
  );
}

/** Returns a key for everything that the overview of a document shows. */
export function overviewKey(document: ApiDocument, isClosed: IsClosed): string {
  return jsonText(readOverview(document, isClosed));
}

/** Whether only some readers may see an operation. */
export type IsClosed = (target: OperationTarget) => boolean;

/** Returns the content of a document's overview, without the title. */
export function overviewContent(
  document: ApiDocument,
  messages: SiteMessages,
  isClosed: IsClosed = isRestricted,
): ContentNode[] {
  const overview = readOverview(document, isClosed);
  const markdown = (text: string) => descriptionContent(text, document.isRemote);

  const {
    summary,
    description,
    version,
    contact,
    license,
    termsOfService,
    externalDocs,
    servers,
    schemes,
    tags,
  } = overview;

  const about: ContentNode[][] = [
    version === undefined ? [] : [`${messages.version}: ${version}`],
    contact
      ? [
          `${messages.contact}: `,
          ...namedLink(contact, contact.more?.includes("@") ? `mailto:${contact.more}` : undefined),
        ]
      : [],
    license ? [`${messages.license}: `, ...namedLink(license, undefined)] : [],
    termsOfService === undefined ? [] : [link(termsOfService, messages.termsOfService)],
    externalDocs ? [docsLink(externalDocs, messages)] : [],
  ];

  const section = (title: string, content: ContentNode[]) =>
    content.length ? [element("h2", {}, [title]), ...content] : [];
  return [
    ...(summary === undefined ? [] : [element("p", {}, [summary])]),
    ...list(about),
    ...(description === undefined ? [] : markdown(description).map((node) => raised(node))),
    ...section(messages.baseUrl, list(servers.map((server) => serverItem(server, markdown, messages)))),
    ...section(
      messages.authorization,
      schemes.length
        ? [
            element(
              "ul",
              {},
              schemes.map((scheme) => schemeItem(scheme, markdown, messages)),
            ),
          ]
        : [],
    ),
    ...tags.flatMap(({ label, texts: paragraphs, externalDocs: docs }) =>
      section(label, [
        ...paragraphs.flatMap(markdown),
        ...(docs ? [element("p", {}, [docsLink(docs, messages)])] : []),
      ]),
    ),
  ];
}

function readOverview(document: ApiDocument, isClosed: IsClosed = isRestricted): Overview {
  const { root, refs } = document;
  const info = own(root, "info");
  const text = (node: unknown, key: string) => ownText(node, key)?.trim() || undefined;
  const named = (key: string, more: string): NamedLink | undefined => {
    const node = own(info, key);
    const found = { name: text(node, "name"), url: text(node, "url"), more: text(node, more) };
    return Object.values(found).some((value) => value !== undefined) ? found : undefined;
  };

  const servers = readServers(own(root, "servers"));

  const security = readSecurity(
    publicSchemes(document, isClosed).map((key) => ({ [key]: [] })),
    refs,
  );

  return {
    title: documentTitle(document),
    summary: text(info, "summary"),
    description: text(info, "description"),
    version: text(info, "version"),
    contact: named("contact", "email"),
    license: named("license", "identifier"),
    termsOfService: text(info, "termsOfService"),
    externalDocs: externalDocsOf(own(root, "externalDocs")),
    servers,
    schemes: resolveSecurity(security, servers).flatMap(({ schemes }) => schemes),
    tags: readTags(document, isClosed),
  };
}

/** Returns the names of the security schemes, except those that only operations without a public page use. */
function publicSchemes(document: ApiDocument, isClosed: IsClosed): string[] {
  const { root, operations } = document;
  const schemes = own(own(root, "components"), "securitySchemes");
  const open = operations.filter((entry) => !isClosed({ document, entry }));
  const closed = operations.filter((entry) => isClosed({ document, entry }));
  const shown = schemesIn([{ security: own(root, "security") }, ...open.map(({ node }) => node.value)]);
  const hidden = schemesIn(closed.map(({ node }) => node.value));
  const left = new Set(closedSchemes(root, hidden, shown));
  return Object.keys(isRaw(schemes) ? schemes : {}).filter((name) => !left.has(name));
}

function isRestricted(target: OperationTarget): boolean {
  return isHidden(target.entry.node.value) || groupsOf(target) !== undefined;
}

/** Returns the tags with texts. Omits tags that only operations without a public page have. */
function readTags(document: ApiDocument, isClosed: IsClosed): Overview["tags"] {
  const restricted = new Set<string>();
  const open = new Set<string>();
  for (const entry of document.operations) {
    const tags = isClosed({ document, entry }) ? restricted : open;
    for (const tag of texts(own(entry.node.value, "tags"))) tags.add(tag);
  }

  return [...declaredTags(document.root)].flatMap(([name, { value }]) => {
    if (restricted.has(name) && !open.has(name)) return [];
    const label = tagLabel(name, value);
    const paragraphs = ["summary", "description"]
      .flatMap((key) => ownText(value, key)?.trim() || [])
      .filter((text) => text !== label);
    const externalDocs = externalDocsOf(own(value, "externalDocs"));
    return paragraphs.length || externalDocs ? [{ label, texts: paragraphs, externalDocs }] : [];
  });
}

/**
 * Raises the headings of a description to the levels below the title. Links to sections in the style of Redoc
 * become anchors.
 */
function raised(node: ContentNode): ContentNode {
  if (typeof node === "string") return node;
  const { name, props, children } = node;
  const level = /^h([3-6])$/.exec(name)?.[1];
  const section = /^#section\/(?:.*\/)?([^/]+)$/.exec(typeof props.href === "string" ? props.href : "")?.[1];
  return {
    ...node,
    name: level === undefined ? name : `h${Number(level) - 1}`,
    props: section === undefined ? props : { ...props, href: `#${section}` },
    children: children.map(raised),
  };
}

function list(items: ContentNode[][]): ContentElement[] {
  const filled = items.filter(({ length }) => length > 0);
  return filled.length
    ? [
        element(
          "ul",
          {},
          filled.map((item) => element("li", {}, item)),
        ),
      ]
    : [];
}

function link(href: string, text: string): ContentElement {
  return element("a", { href }, [text]);
}

function docsLink(
  { url, description }: { url: string; description?: string },
  messages: SiteMessages,
): ContentElement {
  return link(url, description ?? messages.moreInformation);
}

function namedLink({ name, url, more }: NamedLink, moreUrl: string | undefined): ContentNode[] {
  const first = url === undefined ? name : link(url, name ?? url);
  const second =
    more === undefined || more === name ? undefined : moreUrl === undefined ? more : link(moreUrl, more);
  return [first, second]
    .filter((part) => part !== undefined)
    .flatMap((part, index) => (index === 0 ? [part] : [" · ", part]));
}

type Markdown = (text: string) => ContentNode[];

function serverItem(
  { url, name, description, variables }: Server,
  markdown: Markdown,
  messages: SiteMessages,
): ContentNode[] {
  const code = (text: string) => element("code", {}, [text]);
  const after = (text: string | undefined) => (text ? [": ", ...inline(markdown(text))] : []);
  const choices = variables.map((variable) => [
    code(`{${variable.name}}`),
    ` (${messages.default} `,
    code(variable.default),
    ...variable.enum.filter((value) => value !== variable.default).flatMap((value) => [", ", code(value)]),
    ")",
    ...after(variable.description),
  ]);
  return [code(url), ...after([name, description].filter(Boolean).join(": ")), ...list(choices)];
}

/** Returns content without the paragraphs around it. */
function inline(content: ContentNode[]): ContentNode[] {
  return content.flatMap((node, index) =>
    typeof node === "string" || node.name !== "p"
      ? [node]
      : [...(index === 0 ? [] : [" "]), ...node.children],
  );
}

function schemeItem(scheme: SecurityScheme, markdown: Markdown, messages: SiteMessages): ContentElement {
  const { name, place, format } = credentialLocation(scheme);
  const labels = [schemeLabel(scheme), place, scheme.deprecated && messages.deprecated];
  const head = [element("code", {}, [name]), ` (${labels.filter(Boolean).join(", ")})`];
  const paragraph = (text: string) => element("p", {}, [text]);
  return element("li", {}, [
    element("p", {}, head),
    ...(scheme.description
      ? markdown(scheme.description)
      : format
        ? [paragraph(`${messages.format}: ${format}`)]
        : []),
    ...flowTexts(scheme, messages).flatMap(markdown),
  ]);
}
