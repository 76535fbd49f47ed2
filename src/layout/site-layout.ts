/**
 * Defines the paths below `_octavo/`, a reserved folder of each site: files that an export writes, and
 * endpoints that a host serves. The paths have no leading slash. Authors' files in this folder are left out.
 */

export const siteFolder = "_octavo/";

/** Whether a path starts with `_octavo/`. */
export function isReserved(path: string): boolean {
  return path.startsWith(siteFolder);
}

/**
 * Returns the path of an asset whose name contains a hash of its content. The file at this path never
 * changes, so browsers may cache it forever.
 */
export function assetPath(stem: string, hash: string, extension: string): string {
  return `${siteFolder}${stem}-${hash.slice(0, 10)}.${extension}`;
}

/** Whether a path has the format of `assetPath`. */
export function isImmutableAsset(path: string): boolean {
  return /^_octavo\/[\w-]+-[0-9a-f]{10}\.\w+$/.test(path);
}

// Other files that browsers load.
export const faviconPath = `${siteFolder}favicon.svg`;
export const diagramLayoutPath = `${siteFolder}mermaid-elk.js`;
export const pageListPath = `${siteFolder}pages.js`;
export const specArchivePath = `${siteFolder}api-specs.zip`;
export const oauthScriptPath = `${siteFolder}oauth.js`;
export const widgetPath = `${siteFolder}widget.js`;
export const oauthPagePath = `${siteFolder}oauth.html`;

/** Returns the path of the script of an author's interactive component. */
export function islandPath(id: string): string {
  return `${siteFolder}islands/${id}.js`;
}

/** Returns the path, without extension, of the files with the complete navigation of a section. */
export function contentsPath(id: string): string {
  return `${siteFolder}nav/${id}`;
}

/** Returns the path, without extension, of the files with a schema that several pages share. */
export function schemaPath(id: string): string {
  return `${siteFolder}schemas/${id}`;
}

/**
 * Returns the path of the folder with the variants of pages for some readers. `suffix` identifies the
 * readers. Ends with a slash.
 */
export function variantFolder(suffix: string): string {
  return `${siteFolder}versions/${suffix.replace(/^-/, "")}/`;
}

/**
 * Returns the path of the folder with the operations and components that the playgrounds of an API document
 * load. Ends with a slash.
 */
export function apiFolder(id: string): string {
  return `${siteFolder}api/${id}/`;
}

/**
 * Extracts the path of a file in an `apiFolder` from the end of a URL. The path starts with `_octavo/`.
 * Undefined if there is none.
 */
export function readApiPath(url: string): string | undefined {
  return /_octavo\/api\/[\w./-]+$/.exec(url)?.[0];
}

/**
 * Returns the path of a file of a search index. Names that start with `p` are files of passages. `suffix`
 * identifies the readers who may load the index.
 */
export function searchFilePath(
  name: string,
  { language, suffix = "" }: { language: string; suffix?: string },
): string {
  return `${siteFolder}${name.startsWith("p") ? "passages" : "search"}${suffix}/${language}/${name}.js`;
}

/**
 * Returns the suffix and language of a search index, from the path of its file `head`. Undefined for any
 * other path.
 */
export function readSearchHeadPath(path: string): { language: string; suffix: string } | undefined {
  const [, suffix = "", language] = /^_octavo\/search(-[0-9a-f]+)?\/([\w-]+)\/head\.js$/.exec(path) ?? [];
  return language === undefined ? undefined : { language, suffix };
}

export const mcpPath = "mcp";

/** Paths of a site's MCP server card: that of SEP-2127, and those that other clients read. */
export const serverCardPaths = ["mcp/server-card", ".well-known/mcp/server-card.json", ".well-known/mcp"];

/** The list of a site's APIs (RFC 9727). */
export const apiCatalogPath = ".well-known/api-catalog";

// Files that a host reads and doesn't serve as they are.
/**
 * Returns the path of a part of the vectors of a search index's passages. Only deployments have these files,
 * not exports.
 */
export function vectorFilePath(
  part: number,
  { language, suffix }: { language: string; suffix: string },
): string {
  return `${siteFolder}vectors${suffix}/${language}/v${part}.bin`;
}

/** Whether a path has the format of `vectorFilePath`. */
export function isVectorFile(path: string): boolean {
  return /^_octavo\/vectors(?:-[0-9a-f]+)?\/[\w-]+\/v\d+\.bin$/.test(path);
}

export const proxyTablePath = `${siteFolder}proxy.json`;
export const redirectTablePath = `${siteFolder}redirects.json`;
export const securityTablePath = `${siteFolder}security.json`;
/** The sign-in page. A host only serves it at `signInPath`, with some of its hidden parts shown. */
export const signInPagePath = `${siteFolder}sign-in.html`;

/**
 * Returns the path of the file with a section's navigation and the access to each item. A host only sends
 * readers the items that they may see.
 */
export function navigationPath(id: string): string {
  return `${siteFolder}navigation/${id}.json`;
}

/** Whether a path has the format of `navigationPath`. */
export function isNavigation(path: string): boolean {
  return /^_octavo\/navigation\/[\w-]+\.json$/.test(path);
}

/** Whether a path belongs to a file that hosts read, but don't serve as it is. */
export function isInternal(path: string): boolean {
  return (
    [proxyTablePath, redirectTablePath, securityTablePath, signInPagePath].includes(path) ||
    isNavigation(path) ||
    isVectorFile(path)
  );
}

// Endpoints.
export const assistantPath = `${siteFolder}assistant`;
export const assistantFeedbackPath = `${siteFolder}assistant/feedback`;
export const handOverPath = `${siteFolder}assistant/hand-over`;
/** Header that identifies the browser of a visitor who uses the widget on another website. */
export const visitorHeader = "octavo-visitor";
export const eventsPath = `${siteFolder}events`;
export const feedbackPath = `${siteFolder}feedback`;
export const proxyPath = `${siteFolder}proxy`;
export const searchPath = `${siteFolder}search`;
export const signInPath = `${siteFolder}sign-in`;
export const signOutPath = `${siteFolder}sign-out`;

// Endpoints of the authorization server for programs that readers connect.
export const authorizePath = `${siteFolder}authorize`;
export const registerClientPath = `${siteFolder}authorize/register`;
export const clientTokenPath = `${siteFolder}authorize/token`;
export const protectedResourcePath = ".well-known/oauth-protected-resource";
export const authorizationServerPath = ".well-known/oauth-authorization-server";

/** Whether a path starts with `_octavo/sign-`, as the paths for signing in and out do. */
export function isSignInOrOut(path: string): boolean {
  return path.startsWith(`${siteFolder}sign-`);
}

/** Script of the preview that `octavo dev` shows. */
export const previewScriptPath = `${siteFolder}dev.js`;
