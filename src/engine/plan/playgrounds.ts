import type { Access } from "../../base/access.ts";
import { apiFolder } from "../../layout/site-layout.ts";
import { hashOf } from "../hash-of.ts";
import type { ApiDocument } from "../openapi/document/api-document.ts";
import { type Server, serversOf } from "../openapi/request/operation.ts";
import type { OperationData } from "../openapi/request/operation-data.ts";
import { playgroundOf } from "../reference/settings.ts";
import type { Site } from "../site/build-site.ts";
import { isExternalPage, type Page } from "../site/page.ts";
import { type Audiences, suffixOf } from "./audiences.ts";
import { operationDataOf } from "./operation-excerpt.ts";

/** A page's playground and the files that it loads. */
export interface Playground {
  /** Path of the file with the page's operation. */
  operation: string;
  /**
   * Path of the folder with the document's components (numbered files and `index.js`), with a trailing slash.
   */
  components: string;
  access: Access;
  data: OperationData;
  servers: readonly Server[];
}

/** Finds the playgrounds of a site's pages. Memoized by page. */
export class Playgrounds {
  private readonly site: Site;
  private readonly audiences: Audiences;
  private readonly known = new Map<Page, Playground | undefined>();

  constructor(site: Site, audiences: Audiences) {
    this.site = site;
    this.audiences = audiences;
  }

  /** Returns the playground of a page. Undefined if the page has none. */
  of(page: Page): Playground | undefined {
    if (!this.known.has(page)) this.known.set(page, this.find(page));
    return this.known.get(page);
  }

  private find(page: Page): Playground | undefined {
    const { reference } = page;
    if (reference?.kind !== "operation" || isExternalPage(page)) return undefined;
    const { document, entry } = reference;
    const { config, hasSignIn } = this.site;
    const api = config.settings.api ?? {};
    const item = document.refs.follow(entry.pathItem)!;
    const servers = serversOf(entry.node.value, item.value, document.root);
    const mode = playgroundOf(page.frontmatter, { api, hasSignIn }, { kind: entry.kind, servers });
    if (mode === "none") return undefined;

    const access = this.audiences.ofPlayground(page);

    // Each access has its own folder, so that readers can't find schemas of pages that they may not read.
    const components = apiFolder(documentId(document) + suffixOf(access));
    return {
      operation: `${components}operation-${hashOf(page.route).slice(0, 10)}.js`,
      components,
      access,
      data: operationDataOf(document, entry, item, mode, api),
      servers,
    };
  }
}

function documentId({ file }: ApiDocument): string {
  const stem = file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, 40);
  return `${stem || "api"}-${hashOf(file).slice(0, 8)}`;
}
