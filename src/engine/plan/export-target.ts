/**
 * Defines the target of an export (its host and readers) and the types of its files, and determines the
 * features and external content of its pages.
 */

import type { Access } from "../../base/access.ts";
import type { Integrations } from "../config/integrations-schema.ts";
import { availability, type DeploymentKind } from "../site/features.ts";
import type { FileContent } from "./file-content.ts";

/** The host and readers that a site is exported for. */
export interface ExportTarget {
  kind: DeploymentKind;
  /**
   * `html`: relative links to files, which work on any host and from disk. `clean`: paths without `.html`,
   * for hosts that resolve them.
   */
  links: "html" | "clean";
  /**
   * URL of the site, such as `https://docs.example.com` or `https://example.com/docs`, for absolute URLs.
   * Clean links start with its path.
   */
  origin?: string;
  /**
   * `signed-in`: pages that aren't public require sign-in. `anyone`, the default: pages for groups aren't
   * exported. `author`: a preview with all pages.
   */
  readers?: "anyone" | "signed-in" | "author";
  /** Exports exactly what some readers may see, as a site for anyone. Only without `readers`. */
  audience?: ExportAudience;
  /** `false`: no analytics, because the operator turned them off or the export is a preview. */
  analytics?: false;
  /** The repository with the pages' files, for links to them. Absent if it is unknown. */
  repository?: SourceRepository;
  /** Routes of the pages to export; absent to export all pages. */
  pages?: readonly string[];
}

/** The readers that an export is for. */
export interface ExportAudience {
  /** Groups of the signed-in readers. Undefined for visitors who aren't signed in. */
  groups?: readonly string[];
  /** Whether the site has sign-in, so that pages without an access rule are only for signed-in readers. */
  hasSignIn?: boolean;
}

/** The repository that a site is built from. */
export interface SourceRepository {
  /** URL for git, such as `https://github.com/acme/docs.git` or `ssh://git@github.com/acme/docs.git`. */
  url: string;
  branch: string;
  /** Path of the documentation folder in the repository. Default: the repository's root. */
  directory?: string;
  /** Kind of the git host. Only used if the host isn't well known. */
  host?: "github" | "gitlab" | "gitea" | "bitbucket";
  /** Whether everyone may read the repository. */
  isPublic: boolean;
}

/** A file of an export. */
export interface OutputFile {
  path: string;
  bytes: Uint8Array;
  /** Readers who may read the file, for hosts with sign-in. */
  access: Access;
}

/**
 * Adds a file to the plan of an export. `make` generates it on demand. Later files with the same path are
 * ignored. If a path has the same `key` in two exports, its content is the same.
 */
export type AddFile = (
  path: string,
  make: () => FileContent,
  access: Access,
  key?: () => string,
  ready?: () => Promise<void>,
) => void;

/** Style sheets, scripts and fonts of the product, from its build. */
export interface ProductAssets {
  /** Reads a file by name: `octavo.css`, `page.js`, `islands.js`, `mermaid.js`, … */
  read(name: string): Uint8Array;
}

/**
 * Whether pages have Octavo's analytics and feedback. False on air-gapped sites, in previews for the author,
 * and if docs.json or the operator turns them off.
 */
export function hasAnalytics(
  { kind, readers, analytics }: ExportTarget,
  integrations: Integrations | undefined,
): boolean {
  const isAllowed = analytics !== false && integrations?.telemetry?.enabled !== false;
  return availability("analytics", kind) !== "off" && readers !== "author" && isAllowed;
}

/** Whether pages have an assistant. False on air-gapped sites and in previews for the author. */
export function hasAssistant({ kind, readers }: ExportTarget): boolean {
  return availability("assistant", kind) !== "off" && readers !== "author";
}

/** Whether the host of a site has an MCP server for it. */
export function hasMcp({ kind, readers }: ExportTarget): boolean {
  return kind === "cloud" && readers !== "author";
}

/**
 * Determines how pages show content from other hosts. `shown`: unchanged. `restorable`: as a link. The page's
 * script replaces it with the content, unless the page is opened from disk or the operator file makes the
 * site air-gapped. `link`: only as a link.
 */
export function externalContentMode({ kind, links }: ExportTarget): "shown" | "restorable" | "link" {
  if (kind === "air-gapped") return "link";
  return kind === "cloud" || links === "clean" ? "shown" : "restorable";
}
