/**
 * Creates the content security policies of a site. The policies allow the site's own files and, unless the
 * site is air-gapped, hosts that the site's pages and settings use.
 */

import { createHash } from "node:crypto";
import { type Access, accessKey } from "../../base/access.ts";
import { basePathOf } from "../../base/base-path.ts";
import { readText } from "../../base/files.ts";
import { originsIn } from "../../base/url.ts";
import { featureInit, sidebarInit, themeInit } from "../frame/init-scripts.ts";
import type { EmbeddedHosts } from "../page/body.ts";
import { type Audiences, covers } from "./audiences.ts";
import type { ExportTarget } from "./export-target.ts";
import { integrationHosts } from "./integrations.ts";
import { iconUrls } from "./nav-icons.ts";
import { playgroundOrigins } from "./playground-origins.ts";
import type { Playgrounds } from "./playgrounds.ts";

type Kind = "script" | "style" | "image" | "font" | "media" | "frame" | "connect";

/**
 * Maximum number of hosts of one kind in a policy. If there are more, the policy allows `https:` instead,
 * since servers limit the size of headers.
 */
const hosts_count = 40;

/** Returns the hashes of the pages' inline scripts, as sources for a policy. */
function inlineScriptHashes({ origin }: ExportTarget): string[] {
  const isBelowPath = basePathOf(origin) !== "";
  return [themeInit(isBelowPath), featureInit, sidebarInit(isBelowPath)].map(
    (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

interface ContentSecurityPolicies {
  contentSecurityPolicy: string;
  /**
   * The policy for a site whose operator turned off the analytics services in docs.json. Absent if the policy
   * stays the same.
   */
  withoutServices?: string;
}

/**
 * Returns the policy of public pages, and the policies of other pages by `accessKey(access)`. A policy
 * contains the hosts of a page only if all readers of the policy's pages may read that page. Otherwise, it
 * would reveal that restricted pages exist.
 */
export function policiesByAccess(
  target: ExportTarget,
  audiences: Audiences,
  playgrounds: Playgrounds,
): ContentSecurityPolicies & { byAccess: Record<string, ContentSecurityPolicies> } {
  const others = audiences.exportedAccesses.filter((access) => access !== "anyone");
  return {
    ...policiesOf("anyone", target, audiences, playgrounds),
    byAccess: Object.fromEntries(
      others.map((access) => [accessKey(access), policiesOf(access, target, audiences, playgrounds)]),
    ),
  };
}

function policiesOf(
  access: Access,
  target: ExportTarget,
  audiences: Audiences,
  playgrounds: Playgrounds,
): ContentSecurityPolicies {
  const site = audiences.visibleTo(access);

  const hosts: Record<Kind, Set<string>> = {
    script: new Set(),
    style: new Set(),
    image: new Set(),
    font: new Set(),
    media: new Set(),
    frame: new Set(),
    connect: new Set(),
  };

  const allow = (host: string | undefined, kinds: readonly Kind[]) => {
    if (host && /^https?:(?:\/\/[\w.*-]+(?::\d+)?)?$/.test(host))
      for (const kind of kinds) hosts[kind].add(host);
  };

  const allowAll = (text: string, kinds: readonly Kind[]) => {
    for (const origin of originsIn(text)) allow(origin, kinds);
  };
  const allowEmbedded = (found: EmbeddedHosts) => {
    for (const [kind, named] of Object.entries(found)) for (const host of named) allow(host, [kind as Kind]);
  };

  for (const page of site.pages.values())
    for (const variant of audiences.variantsOf(page))
      if (covers(audiences.of(variant), access)) allowEmbedded(variant.summary.hosts ?? {});
  for (const [id, fragmentAccess] of audiences.fragmentAccesses())
    if (covers(fragmentAccess, access)) allowEmbedded(site.fragments.get(id)!.hosts ?? {});
  const { logo, favicon, background, banner, fonts, integrations } = site.config.settings;
  allowAll(JSON.stringify([logo, favicon, background, banner, ...iconUrls(site).keys()]) ?? "", ["image"]);
  allowAll(JSON.stringify(fonts) ?? "", ["font"]);

  // Allows the URLs in the author's own scripts and style sheets.
  const scripts = [...site.linkTargets.served]
    .filter((path) => path.endsWith(".js"))
    .map((path) => readText(site.files, path) ?? "");
  for (const text of scripts)
    allowAll(text, ["script", "style", "image", "font", "media", "frame", "connect"]);
  for (const text of site.islandScripts.values()) allowAll(text, ["image", "media", "frame", "connect"]);
  for (const path of site.linkTargets.served)
    if (path.endsWith(".css")) allowAll(readText(site.files, path) ?? "", ["style", "image", "font"]);
  for (const origin of playgroundOrigins(site, playgrounds)) allow(origin, ["connect"]);
  const withoutServices = contentSecurityPolicyOfPages(hosts, target);
  for (const [kind, named] of Object.entries(integrationHosts(integrations, target)))
    for (const host of named) allow(host, [kind as Kind]);
  const contentSecurityPolicy = contentSecurityPolicyOfPages(hosts, target);
  return { contentSecurityPolicy, ...(withoutServices === contentSecurityPolicy ? {} : { withoutServices }) };
}

function contentSecurityPolicyOfPages(
  hosts: Record<Kind, ReadonlySet<string>>,
  target: ExportTarget,
): string {
  const isAirGapped = target.kind === "air-gapped";
  const listed = (kind: Kind) =>
    isAirGapped ? [] : hosts[kind].size > hosts_count ? ["https:"] : [...hosts[kind]].sort();
  const directives: [string, ...string[]][] = [
    ["default-src", isAirGapped ? "'self'" : "'none'"],
    // Pages of an air-gapped site have no inline scripts or styles.
    ["script-src", "'self'", ...(isAirGapped ? [] : inlineScriptHashes(target)), ...listed("script")],
    ["style-src", "'self'", ...(isAirGapped ? [] : ["'unsafe-inline'"]), ...listed("style")],
    ["img-src", "'self'", "data:", "blob:", ...listed("image")],
    ["font-src", "'self'", "data:", ...listed("font")],
    ["media-src", "'self'", "data:", "blob:", ...listed("media")],
    ["connect-src", "'self'", ...listed("connect")],
    ["frame-src", "'self'", ...listed("frame")],
    ["worker-src", "'self'", "blob:"],
    ["manifest-src", "'self'"],
    ["base-uri", "'none'"],
    ["form-action", "'self'"],
    ["object-src", "'none'"],
    ["frame-ancestors", "'self'"],
  ];

  return directives.map((directive) => directive.join(" ")).join("; ");
}
