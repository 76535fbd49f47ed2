/** Describes a site for editors: what links, imports, and references in its files can name. */

import { own, ownText } from "../engine/openapi/nodes/refs.ts";
import { operationLabel } from "../engine/openapi/request/operation-list.ts";
import { variableValues } from "../engine/page/prepare-mdx.ts";
import type { Site } from "../engine/site/build-site.ts";
import { isExternalPage } from "../engine/site/page.ts";

export interface SiteOutline {
  pages: OutlinedPage[];
  /** Paths of all files in the documentation folder. */
  files: readonly string[];
  /** Values of the variables in docs.json. */
  variables: Record<string, string>;
  documents: OutlinedDocument[];
  iconLibrary: "fontawesome" | "lucide" | "tabler";
}

export interface OutlinedPage {
  /** Path without a leading slash; empty for the home page. */
  route: string;
  /** The page's file, or the OpenAPI document that the page is generated from. */
  file: string;
  title: string;
  description?: string;
  /** Ids of the elements on the page that links can refer to. */
  anchors: string[];
  /** JSON Pointer of the operation or schema that the page is generated from. */
  pointer?: string;
}

export interface OutlinedDocument {
  /** Path in the documentation folder, or URL. */
  file: string;
  operations: OutlinedOperation[];
}

export interface OutlinedOperation {
  /** Such as `GET /users`. */
  label: string;
  summary?: string;
  description?: string;
  /** JSON Pointer of the operation. */
  pointer: string;
}

export function outlineOf(site: Site): SiteOutline {
  const pages = [...site.pages.values()].filter((page) => !isExternalPage(page));
  return {
    pages: pages.map((page): OutlinedPage => {
      const { reference, summary, route, file, title } = page;
      const description = page.frontmatter.description ?? summary.firstWords;
      const pointer =
        page.storedName === file
          ? undefined
          : reference?.kind === "operation"
            ? reference.entry.node.pointer
            : reference?.kind === "schema"
              ? reference.schema.pointer
              : undefined;
      return {
        route,
        file,
        title,
        ...(description ? { description } : {}),
        anchors: summary.anchors === "" ? [] : summary.anchors.split("\n"),
        ...(pointer === undefined ? {} : { pointer }),
      };
    }),
    files: site.files.paths,
    variables: Object.fromEntries(variableValues(site.config.settings.variables)),
    documents: site.documents.all.map(({ file, operations }) => ({
      file,
      operations: operations.map((entry) => {
        const node = own({ node: entry.node.value }, "node");
        const summary = ownText(node, "summary");
        const description = ownText(node, "description");
        return {
          label: operationLabel(entry),
          pointer: entry.node.pointer,
          ...(summary ? { summary } : {}),
          ...(description ? { description: description.slice(0, 300) } : {}),
        };
      }),
    })),
    iconLibrary: site.config.settings.icons?.library ?? "fontawesome",
  };
}
