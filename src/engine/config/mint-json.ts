/** Converts settings in the format of mint.json, the predecessor of docs.json. */

type Raw = Record<string, unknown>;

export interface ConvertedSettings {
  /** Settings in the format of docs.json. */
  settings: Raw;
  /** Keys of mint.json without an equivalent. */
  leftOut: string[];
}

const converted = new Set(
  "$schema name logo favicon colors theme modeToggle topbarLinks topbarCtaButton tabs anchors primaryTab topAnchor navigation versions footerSocials footer api openapi analytics integrations redirects seo metadata backgroundImage background font search codeBlock feedback eyebrow".split(
    " ",
  ),
);
/**
 * The converted keys of objects, and of objects in lists. Objects without an entry are converted as a whole.
 */
const convertedBelow: Readonly<Record<string, string>> = {
  colors: "primary light dark background",
  modeToggle: "default isHidden",
  topbarLinks: "name url type",
  topbarCtaButton: "name url type",
  tabs: "name url icon iconType openapi version",
  anchors: "name url icon iconType openapi version",
  primaryTab: "name icon iconType",
  topAnchor: "name icon iconType",
  api: "baseUrl auth playground request paramFields",
  background: "style",
  codeBlock: "mode",
  eyebrow: "display",
  seo: "indexHiddenPages",
};
const themes = new Set(["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"]);

export function fromMintJson(mint: Raw): ConvertedSettings {
  const { codeBlock, font, search, feedback } = mint;
  const background = record(mint.background);
  const settings = withoutEmpty({
    theme: themes.has(String(mint.theme)) ? mint.theme : "mint",
    name: mint.name,
    logo: mint.logo,
    favicon: mint.favicon,
    colors: pick(record(mint.colors), ["primary", "light", "dark"]),
    background: withoutEmpty({
      color: record(mint.colors).background,
      image: mint.backgroundImage,
      decoration: background.style,
    }),
    appearance: withoutEmpty({
      default: record(mint.modeToggle).default,
      strict: record(mint.modeToggle).isHidden,
    }),
    fonts:
      font === undefined
        ? undefined
        : withoutEmpty({
            ...pick(record(font), ["family", "weight", "format", "body"]),
            source: record(font).url,
            heading: record(font).headings,
          }),
    styling: withoutEmpty({
      codeblocks:
        record(codeBlock).mode === undefined
          ? undefined
          : record(codeBlock).mode === "dark"
            ? "dark"
            : "system",
      eyebrows: record(mint.eyebrow).display,
    }),
    navigation: navigationOf(mint),
    navbar: withoutEmpty({ links: links(mint.topbarLinks), primary: buttonOf(record(mint.topbarCtaButton)) }),
    footer: withoutEmpty({
      ...record(mint.footer),
      socials: socialsOf(mint.footerSocials) ?? record(mint.footer).socials,
    }),
    api: apiOf(mint),
    integrations: integrationsOf(mint),
    redirects: mint.redirects,
    seo: withoutEmpty({
      indexing: record(mint.seo).indexHiddenPages === true ? "all" : undefined,
      metatags: mint.metadata,
    }),
    search,
    feedback,
  });

  return { settings, leftOut: leftOutOf(mint) };
}

function leftOutOf(mint: Raw): string[] {
  const hasTabs = records(mint.tabs).length > 0;
  return Object.entries(mint).flatMap(([key, value]) => {
    if (!converted.has(key) || (key === "topAnchor" && hasTabs)) return [key];
    const known = convertedBelow[key]?.split(" ");
    const below = known ? [value, ...list(value)].flatMap((item) => Object.keys(record(item))) : [];
    return [...new Set(below)].filter((name) => !known!.includes(name)).map((name) => `${key}.${name}`);
  });
}

/** A tab or anchor whose pages are those below a path, or that links to a URL. */
interface Part {
  kind: "tab" | "anchor";
  raw: Raw;
  label: string;
  /** Path of the pages, without slashes at its start and end. Undefined for a URL. */
  prefix: string | undefined;
}

function navigationOf(mint: Raw): Raw {
  const groups = records(mint.navigation);
  const parts = [...partsOf(mint.tabs, "tab"), ...partsOf(mint.anchors, "anchor")];
  const versions = list(mint.versions).flatMap((entry): Raw[] =>
    typeof entry === "string" ? [{ name: entry }] : isRecord(entry) ? [entry] : [],
  );
  const external = parts.filter(({ kind, prefix }) => kind === "anchor" && prefix === undefined);
  const global = external.map(({ raw, label }) =>
    withoutEmpty({ anchor: label, href: raw.url, ...pick(raw, ["icon", "iconType"]) }),
  );
  const level = (among: Raw[], shown = parts) => levelOf(among, shown, mint);
  const rest = global.length ? { global: { anchors: global } } : {};
  if (versions.length === 0) return { ...level(groups), ...rest };

  const isOf = (group: Raw, version: Raw) =>
    [undefined, version.name, version.locale].includes(group.version as string | undefined);
  const isLanguages = versions.every(({ locale }) => typeof locale === "string");
  const entries = versions.map((version) =>
    withoutEmpty({
      [isLanguages ? "language" : "version"]: isLanguages ? version.locale : version.name,
      default: version.default,
      ...level(
        groups.filter((group) => isOf(group, version)),
        parts.filter(({ raw }) => isOf(raw, version)),
      ),
    }),
  );

  return { [isLanguages ? "languages" : "versions"]: entries, ...rest };
}

/**
 * Distributes groups among the tabs and anchors by the path of their first page. The first tab or anchor has
 * the groups of no other one.
 */
function levelOf(groups: readonly Raw[], parts: readonly Part[], mint: Raw): Raw {
  const owned = parts.filter(({ kind, prefix }) => kind === "tab" || prefix !== undefined);
  if (owned.length === 0) return { groups: groups.map(groupOf) };
  const byPart = new Map<Part | undefined, Raw[]>();
  for (const group of groups) {
    const page = firstPage(group);
    const owner = owned
      .filter(({ prefix }) => prefix !== undefined && (page === prefix || page.startsWith(`${prefix}/`)))
      .sort((a, b) => b.prefix!.length - a.prefix!.length)[0];
    byPart.set(owner, [...(byPart.get(owner) ?? []), groupOf(group)]);
  }

  const kind = owned.some((part) => part.kind === "tab") ? "tab" : "anchor";
  const main = kind === "tab" ? record(mint.primaryTab) : record(mint.topAnchor);
  const first = {
    [kind]: text(main.name) ?? "Documentation",
    ...pick(main, ["icon", "iconType"]),
    groups: byPart.get(undefined) ?? [],
  };

  const others = owned.map((part) => {
    const below = byPart.get(part);
    const openapi = part.raw.openapi;
    const content =
      part.prefix === undefined || (!below && openapi === undefined)
        ? { href: part.raw.url }
        : withoutEmpty({ openapi, groups: below });
    return withoutEmpty({ [kind]: part.label, ...pick(part.raw, ["icon", "iconType"]), ...content });
  });

  return { [`${kind}s`]: [...(first.groups.length ? [first] : []), ...others] };
}

function partsOf(value: unknown, kind: Part["kind"]): Part[] {
  return records(value).flatMap((raw): Part[] => {
    const label = text(raw.name);
    const url = text(raw.url);
    if (label === undefined || url === undefined) return [];
    const isPath = !/^[a-z][a-z\d+.-]*:|^\/\//i.test(url);
    return [
      {
        kind,
        raw: { ...raw, url: isPath && !url.startsWith("/") ? `/${url}` : url },
        label,
        prefix: isPath ? url.replace(/^\/+|\/+$/g, "") : undefined,
      },
    ];
  });
}

function groupOf(group: Raw): Raw {
  const { version: _, pages, ...rest } = group;
  return { ...rest, pages: list(pages).map((page) => (isRecord(page) ? groupOf(page) : page)) };
}

function firstPage(group: Raw): string {
  for (const page of list(group.pages)) {
    const found = isRecord(page) ? firstPage(page) : typeof page === "string" ? page.replace(/^\/+/, "") : "";
    if (found) return found;
  }
  return "";
}

function links(value: unknown): Raw[] | undefined {
  const found = records(value).map(({ name, url, type }) =>
    withoutEmpty({ label: name, href: url, type: type === "github" ? type : undefined }),
  );
  return found.length ? found : undefined;
}

function buttonOf({ name, url, type }: Raw): Raw | undefined {
  if (url === undefined) return undefined;
  return type === "github" ? { type, href: url } : { type: "button", label: name, href: url };
}

function socialsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(
    records(value).flatMap(({ type, url }) => (typeof type === "string" ? [[type, url]] : [])),
  );
}

function apiOf({ api, openapi }: Raw): Raw | undefined {
  const { baseUrl, auth, playground, request, paramFields } = record(api);
  const { mode, disableProxy } = record(playground);
  const example = record(record(request).example);
  const displays: Raw = { show: "interactive", simple: "simple", hide: "none" };
  const expanded = record(paramFields).expanded;
  return withoutEmpty({
    openapi,
    mdx: withoutEmpty({ server: baseUrl, auth: withoutEmpty(pick(record(auth), ["method", "name"])) }),
    playground: withoutEmpty({
      display: displays[String(mode)],
      proxy: disableProxy === true ? false : undefined,
    }),
    examples: withoutEmpty({
      languages: example.languages,
      defaults: example.showOptionalParams === false ? "required" : undefined,
    }),
    params: withoutEmpty({ expanded: expanded === true || expanded === "all" ? "all" : undefined }),
  });
}

/** Keys of integrations whose value is only an ID in mint.json, with the key of the ID in docs.json. */
const idKeys: Raw = { intercom: "appId", frontchat: "snippetId" };

function integrationsOf({ analytics, integrations }: Raw): Raw {
  const own = Object.entries(record(integrations)).map(([name, value]) => [
    name,
    typeof value === "string" && Object.hasOwn(idKeys, name) ? { [String(idKeys[name])]: value } : value,
  ]);
  return { ...record(analytics), ...Object.fromEntries(own) };
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(value: unknown): Raw {
  return isRecord(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function records(value: unknown): Raw[] {
  return list(value).filter(isRecord);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function pick(raw: Raw, keys: readonly string[]): Raw {
  return Object.fromEntries(keys.filter((key) => raw[key] !== undefined).map((key) => [key, raw[key]]));
}

/** Removes undefined values and empty objects. */
function withoutEmpty(raw: Raw): Raw {
  return Object.fromEntries(
    Object.entries(raw).filter(
      ([, value]) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}
