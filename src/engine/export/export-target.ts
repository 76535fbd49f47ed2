import type { Access } from "../../base/access.ts";
import type { Integrations } from "../config/schema.ts";
import { availability, type DeploymentKind } from "../site/features.ts";

/** Where and for whom a site is exported. The same site and target give the same bytes. */
export interface ExportTarget {
  kind: DeploymentKind;
  /** `html`: relative links to files, which work on any host and from disk. `clean`: paths without `.html`, for hosts that resolve them. */
  links: "html" | "clean";
  /** URL of the site, `https://docs.example.com`, for canonical links and feeds. */
  origin?: string;
  /** `signed-in`: pages that aren't public need sign-in. `anyone`, the default: pages of groups are not exported. `author`: a preview with all pages. */
  readers?: "anyone" | "signed-in" | "author";
  /** `false`: no analytics, because the operator turned them off or the export is a preview. */
  analytics?: false;
  /** Routes of the pages that are exported; absent: all. */
  pages?: readonly string[];
}

/** A file of an export. */
export interface OutputFile {
  path: string;
  bytes: Uint8Array;
  /** Who may read it, for hosts with sign-in. */
  access: Access;
}

/** Plans a file, which is generated on demand. Later files with the same path are ignored. */
export type AddFile = (path: string, make: () => Uint8Array | string, access: Access) => void;

/** Styles and scripts of the product, from its build. */
export interface ProductAssets {
  /** By name: `octavo.css`, `page.js`, `islands.js`, `mermaid.js`, … */
  read(name: string): Uint8Array;
}

/** Whether pages have our analytics and feedback: not in an author's preview, and not if docs.json turns them off. */
export function hasAnalytics({ kind, readers, analytics }: ExportTarget, integrations: Integrations | undefined): boolean {
  const isAllowed = analytics !== false && integrations?.telemetry?.enabled !== false;
  return availability("analytics", kind) !== "off" && readers !== "author" && isAllowed;
}

/** Whether pages have an assistant. An author's preview has no service for it. */
export function hasAssistant({ kind, readers }: ExportTarget): boolean {
  return availability("assistant", kind) !== "off" && readers !== "author";
}

/**
 * How pages show content of other hosts. `shown`: as the author wrote it. `held`: as a link, together with the content,
 * which the page's script restores if there is a network. `link`: as a link only.
 */
export function externalContentMode({ kind, links }: ExportTarget): "shown" | "held" | "link" {
  if (kind === "air-gapped") return "link";
  return kind === "cloud" || links === "clean" ? "shown" : "held";
}
