/**
 * Paths below `_octavo/`, where a site has everything that is not a page: files that an export writes, and endpoints that a
 * host answers. They have no leading slash.
 */

export const siteFolder = "_octavo/";

/** Starts with `_octavo/`: no page of the author can have this path. */
export function isReserved(path: string): boolean {
  return path.startsWith(siteFolder);
}

/** Assets whose names contain a hash of their content. They never change, so browsers cache them for good. */
export function assetPath(stem: string, hash: string, extension: string): string {
  return `${siteFolder}${stem}-${hash.slice(0, 10)}.${extension}`;
}

export function isImmutableAsset(path: string): boolean {
  return /^_octavo\/[\w-]+-[0-9a-f]{10}\.\w+$/.test(path);
}

/** Other files that browsers load. */
export const faviconPath = `${siteFolder}favicon.svg`;
export const diagramLayoutPath = `${siteFolder}mermaid-elk.js`;
export const pageListPath = `${siteFolder}pages.js`;
export const specArchivePath = `${siteFolder}api-specs.zip`;
export const oauthScriptPath = `${siteFolder}oauth.js`;
export const oauthPagePath = `${siteFolder}oauth.html`;

export function islandPath(id: string): string {
  return `${siteFolder}islands/${id}.js`;
}

/** A page with the whole navigation of a section, without its extension. */
export function contentsPath(id: string): string {
  return `${siteFolder}nav/${id}`;
}

/** A schema that pages share, without its extension. */
export function schemaPath(id: string): string {
  return `${siteFolder}schemas/${id}`;
}

/** Folder with the operations and components that the playgrounds of a document load. */
export function apiFolder(id: string): string {
  return `${siteFolder}api/${id}/`;
}

/** The path below `apiFolder` at the end of a URL. */
export function readApiPath(url: string): string | undefined {
  return /_octavo\/api\/[\w./-]+$/.exec(url)?.[0];
}

/** A file of a search index: of passages, or of the index itself. `suffix` names the readers who may load it. */
export function searchFilePath(name: string, { language, suffix = "" }: { language: string; suffix?: string }): string {
  return `${siteFolder}${name.startsWith("p") ? "passages" : "search"}${suffix}/${language}/${name}.js`;
}

/** Suffix and language of the index whose first file this is; undefined for any other file. */
export function readSearchHeadPath(path: string): { language: string; suffix: string } | undefined {
  const [, suffix = "", language] = /^_octavo\/search(-[0-9a-f]+)?\/([\w-]+)\/head\.js$/.exec(path) ?? [];
  return language === undefined ? undefined : { language, suffix };
}

/** Tables that a host reads and never serves. */
export const proxyTablePath = `${siteFolder}proxy.json`;
export const redirectTablePath = `${siteFolder}redirects.json`;
export const securityTablePath = `${siteFolder}security.json`;
/** Filled in and served by the endpoint of the same name. */
export const signInPagePath = `${siteFolder}sign-in.html`;

/** The navigation of a section with what each reader may see. A host sends a reader their part of it. */
export function navigationPath(id: string): string {
  return `${siteFolder}navigation/${id}.json`;
}

export function isNavigation(path: string): boolean {
  return /^_octavo\/navigation\/[\w-]+\.json$/.test(path);
}

export function isInternal(path: string): boolean {
  return [proxyTablePath, redirectTablePath, securityTablePath, signInPagePath].includes(path) || isNavigation(path);
}

/** Endpoints. */
export const assistantPath = `${siteFolder}assistant`;
export const assistantFeedbackPath = `${siteFolder}assistant/feedback`;
export const eventsPath = `${siteFolder}events`;
export const feedbackPath = `${siteFolder}feedback`;
export const proxyPath = `${siteFolder}proxy`;
export const searchPath = `${siteFolder}search`;
export const signInPath = `${siteFolder}sign-in`;
export const signOutPath = `${siteFolder}sign-out`;

export function isSignInOrOut(path: string): boolean {
  return path.startsWith(`${siteFolder}sign-`);
}

/** Script of the preview on the author's machine. */
export const previewScriptPath = `${siteFolder}dev.js`;
