import type { Access } from "../../base/access.ts";
import type { Integrations } from "../config/schema.ts";
import { availability, type DeploymentKind } from "../site/features.ts";

/** What a site is exported for. The same site and target give the same bytes. */
export interface ExportTarget {
  kind: DeploymentKind;
  /** `html`: relative links to files, which hold anywhere, from disk too. `clean`: addresses of a host that knows them. */
  links: "html" | "clean";
  /** Where the site will be reached, `https://docs.example.com`; canonical links and feeds need it. */
  origin?: string;
  /** Where readers sign in, pages are for them unless they are public; elsewhere pages of groups are left out. An author's own preview shows everything. Default: `anyone`. */
  readers?: "anyone" | "signed-in" | "author";
  /** `false`: nobody counts visits here: the operator does not want it, or it is a preview. */
  analytics?: false;
  /** Routes of the pages that are exported; absent: all. */
  pages?: readonly string[];
}

/** A file of an export. Large ones come in chunks. */
export interface OutputFile {
  path: string;
  bytes: Uint8Array;
  /** Who may read it, for a host that knows its readers. */
  access: Access;
}

/** Plans a file: it is made when it is asked for. The first to claim a path keeps it. */
export type Add = (path: string, make: () => Uint8Array | string, access: Access) => void;

/** The product's own styles and scripts, made when the product is built. */
export interface ProductAssets {
  /** By name: `octavo.css`, `page.js`, `islands.js`, `mermaid.js`, … */
  read(name: string): Uint8Array;
}

/** Our own counting of visits and searches, and feedback: not in an author's own preview, and not where docs.json forbids it. */
export function hasAnalytics({ kind, readers, analytics }: ExportTarget, integrations: Integrations | undefined): boolean {
  const isAllowed = analytics !== false && integrations?.telemetry?.enabled !== false;
  return availability("analytics", kind) !== "off" && readers !== "author" && isAllowed;
}

/** An author's own preview has no service that answers. */
export function hasAssistant({ kind, readers }: ExportTarget): boolean {
  return availability("assistant", kind) !== "off" && readers !== "author";
}

/**
 * Content of other hosts in pages. `shown`: as the author wrote it. `held`: a link, and the content for the page's script to put
 * back where the bundle has a network. `link`: only the link.
 */
export function outsideContent({ kind, links }: ExportTarget): "shown" | "held" | "link" {
  if (kind === "air-gapped") return "link";
  return kind === "cloud" || links === "clean" ? "shown" : "held";
}
