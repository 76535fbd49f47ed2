/** Reads rules about who can see content. A rule that isn't known must never give additional access. */

/**
 * Returns the group names in an entry or a list of entries. An entry is a name or a rule `{ includes }`.
 * Undefined if there are other entries, such as a rule with `excludes`.
 */
export function groupNames(value: unknown): string[] | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const names = entries.map((entry: unknown): string[] | undefined => {
    if (typeof entry === "string" || typeof entry === "number") return [String(entry)];
    const { includes, ...others } = (entry ?? {}) as { includes?: unknown };
    return includes === undefined || Object.keys(others).length > 0 ? undefined : groupNames(includes);
  });
  return names.every((list) => list !== undefined) ? names.flat() : undefined;
}

/**
 * Keys, in lowercase and without hyphens and underscores, that restrict access on other platforms.
 * docs/publish/readers.mdx lists them, except `groups` and `public`, which Octavo supports in their own
 * spelling.
 */
export const restrictions: ReadonlySet<string> = new Set(
  [
    "access accesscontrol accessgroups accesslevel acl allowedgroups allowedroles allowedusers audience audiences auth authenticated",
    "authentication authrequired confidential draft groups internal isinternal isprivate isprotected ispublic isrestricted loginrequired",
    "membersonly password passwordprotected private protected public published rbac requireauth requireauthentication requiredgroups",
    "requiredpermissions requiredrole requiredroles requirelogin requiresauth requiresauthentication requireslogin restricted restrictedto",
    "roles securitygroups signinrequired userauth userauthentication usergroups viewers visibility visiblefor visibleto",
  ].flatMap((line) => line.split(" ")),
);
/**
 * Keys that look like restrictions and usually have other meanings, such as the name of a group in the
 * sidebar. They restrict nothing.
 */
const lookalikes = new Set("group permission permissions role signin teams users".split(" "));
/**
 * Restrictions only if their value is a boolean, or unknown (an empty text). They can also be labels or
 * dates.
 */
const flags = new Set(["authentication", "confidential", "draft", "internal", "published"]);
/** Restrictions whose value `false` means restricted. For the others, `false` means unrestricted. */
const permissions = new Set(["ispublic", "public", "published"]);

/**
 * Whether a key that Octavo doesn't support could restrict access: its name is that of a restriction, and its
 * value doesn't clearly mean that there is none.
 */
export function mayRestrictAccess(key: string, value: unknown): boolean {
  const name = plainName(key);
  if (!restrictions.has(name) || value === null || value === undefined) return false;
  if (flags.has(name) && !/^(?:true|false|yes|no|)$/i.test(String(value))) return false;
  if (name === "visibility") return !/^(?:public|visible|everyone|all|shown)$/i.test(String(value));
  return value !== permissions.has(name);
}

/** Whether a key looks like an access rule, although it restricts nothing. */
export function looksLikeRestriction(key: string): boolean {
  return lookalikes.has(plainName(key));
}

function plainName(key: string): string {
  return key.toLowerCase().replace(/^x-/, "").replace(/[-_ ]/g, "");
}

/** Restrictions whose names have other meanings as props. */
const ambiguousProps = new Set(
  "access draft internal password private public published visibility".split(" "),
);

/**
 * Returns the name of a prop that could restrict who sees an element other than `<Visibility>`: a
 * restriction, or `for` with an audience. Undefined if there is none.
 */
export function accessProp(element: string, props: Readonly<Record<string, unknown>>): string | undefined {
  for (const key in props) {
    const value = props[key];
    if (key === "for") {
      if (element === "label" || element === "output") continue;
      if (
        (typeof value === "object" && value !== null) ||
        /^(?:humans|agents|signed-?(?:in|out))$/i.test(String(value))
      )
        return key;
    } else if (!ambiguousProps.has(key) && mayRestrictAccess(key, value)) return key;
  }
  return undefined;
}

/** Whether a text contains a `<Visibility>` tag, in any case. */
export function hasVisibility(text: string): boolean {
  return text.includes("<") && /<visibility\b/i.test(text);
}

/**
 * Removes `<Visibility>` elements with their content, in any case, from a text that is the same for all
 * readers. If an element isn't closed, removes the rest of the text.
 */
export function withoutVisibility(text: string): string {
  if (!hasVisibility(text)) return text;
  let out = "";
  let end = 0;
  let depth = 0;
  for (const { 0: tag, index } of text.matchAll(/<\/?visibility\b/gi)) {
    if (depth === 0) out += text.slice(end, index);
    depth = Math.max(0, depth + (tag.startsWith("</") ? -1 : 1));
    const close = text.indexOf(">", index);
    end = close < 0 ? text.length : close + 1;
    if (text[close - 1] === "/") depth = Math.max(0, depth - 1);
  }
  return depth === 0 ? out + text.slice(end) : out;
}
