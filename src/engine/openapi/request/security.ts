/** Reads the security requirements of an operation with their schemes. */

import { child, entries, isRaw, own, ownText, type Refs, texts } from "../nodes/refs.ts";

export type SecurityScheme = {
  /** Key in `components.securitySchemes`. */
  key: string;
  description?: string;
  /** Only set if it's true. */
  deprecated?: true;
  /** Scopes that the requirement lists. */
  scopes: string[];
  /** Initial value in the playground, from `x-default`. */
  prefill?: string;
} & (
  | { type: "apiKey"; in: "header" | "query" | "cookie"; name: string }
  | { type: "bearer"; format?: string }
  | { type: "basic" }
  | { type: "oauth2"; flows: OAuthFlow[]; url?: string }
  | { type: "openIdConnect"; url: string }
  | { type: "mutualTLS" }
  /** Any other scheme of the Authorization header, such as `digest`. Readers type the whole header value. */
  | { type: "http"; scheme: string }
  /** A scheme that is missing or invalid in `components.securitySchemes`. */
  | { type: "unknown" }
);

export interface OAuthFlow {
  flow: "authorizationCode" | "clientCredentials" | "password" | "implicit" | "deviceAuthorization";
  authorizationUrl?: string;
  deviceAuthorizationUrl?: string;
  tokenUrl?: string;
  refreshUrl?: string;
  /** Pairs of name and description. */
  scopes: [string, string][];
}

/** Fields of a flow that are URLs. */
export const flowUrls = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"] as const;

/** One way to authenticate: schemes that must all be used together. */
export interface SecurityAlternative {
  /** Names of the schemes, joined by ` & `. Empty if there are no schemes. */
  title: string;
  schemes: SecurityScheme[];
}

/** Reads the alternatives of a `security` list. */
export function readSecurity(requirements: unknown, refs: Refs): SecurityAlternative[] {
  if (!Array.isArray(requirements)) return [];
  return requirements.filter(isRaw).map((requirement) => {
    const schemes = Object.keys(requirement).map((key) => readScheme(key, texts(requirement[key]), refs));
    return { title: schemes.map(({ key }) => schemeName(key)).join(" & "), schemes };
  });
}

const knownWords: Readonly<Partial<Record<string, string>>> = {
  api: "API",
  apikey: "API key",
  http: "HTTP",
  jwt: "JWT",
  oauth: "OAuth",
  oauth2: "OAuth 2.0",
  oidc: "OpenID Connect",
};

/**
 * Returns the name of a scheme for display: the words of its key, such as `header key` for `headerKey` and
 * `header_key`.
 */
function schemeName(key: string): string {
  return key
    .replace(/(?<=[a-z\d])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(/[\s_-]+/)
    .map((word) => (Object.hasOwn(knownWords, word.toLowerCase()) ? knownWords[word.toLowerCase()]! : word))
    .join(" ");
}

function readScheme(key: string, scopes: string[], refs: Refs): SecurityScheme {
  const components = child({ value: refs.root, pointer: "#" }, "components");
  const schemes = components && child(components, "securitySchemes");
  const declared = schemes && child(schemes, key);
  const node = declared && refs.follow(declared);
  const prefill = ownText(node?.value, "x-default");
  const description = ownText(node?.value, "description");
  const common = {
    key,
    scopes,
    ...(description ? { description } : {}),
    ...(own(node?.value, "deprecated") === true ? { deprecated: true as const } : {}),
    ...(prefill === undefined ? {} : { prefill }),
  };

  if (!node) return { ...common, type: "unknown" };
  const text = (name: string) => ownText(node.value, name);
  const type = text("type")?.toLowerCase();
  if (type === "apikey") {
    const location = text("in");
    const name = text("name");
    if ((location === "header" || location === "query" || location === "cookie") && name)
      return { ...common, type: "apiKey", in: location, name };
  }

  if (type === "http") {
    const scheme = text("scheme")?.toLowerCase() ?? "";
    if (scheme === "bearer")
      return {
        ...common,
        type: "bearer",
        ...(text("bearerFormat") ? { format: text("bearerFormat")! } : {}),
      };
    if (scheme === "basic") return { ...common, type: "basic" };
    return { ...common, type: "http", scheme };
  }

  if (type === "oauth2") {
    const url = text("oauth2MetadataUrl");
    return { ...common, type: "oauth2", flows: readFlows(own(node.value, "flows")), ...(url ? { url } : {}) };
  }

  if (type === "openidconnect")
    return { ...common, type: "openIdConnect", url: text("openIdConnectUrl") ?? "" };
  if (type === "mutualtls") return { ...common, type: "mutualTLS" };
  return { ...common, type: "unknown" };
}

function readFlows(flows: unknown): OAuthFlow[] {
  return (
    ["authorizationCode", "clientCredentials", "password", "implicit", "deviceAuthorization"] as const
  ).flatMap((flow): OAuthFlow[] => {
    const value = own(flows, flow);
    if (!isRaw(value)) return [];

    const found: OAuthFlow = {
      flow,
      scopes: entries(child({ value, pointer: "" }, "scopes")).map(([name, text]) => [
        name,
        typeof text.value === "string" ? text.value : "",
      ]),
    };

    for (const key of flowUrls) {
      const url = ownText(value, key);
      if (url !== undefined) found[key] = url;
    }

    return [found];
  });
}
