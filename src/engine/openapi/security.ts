/** How an operation wants to be paid in trust: its security requirements with their schemes. */

export type SecurityScheme = {
  /** Key in `components.securitySchemes`. */
  key: string;
  description?: string;
  /** Scopes that the requirement asks for. */
  scopes: string[];
  /** `x-default`: what the playground starts with. */
  prefill?: string;
} & (
  | { type: "apiKey"; in: "header" | "query" | "cookie"; name: string }
  | { type: "bearer"; format?: string }
  | { type: "basic" }
  | { type: "oauth2"; flows: OAuthFlow[] }
  | { type: "openIdConnect"; url: string }
  | { type: "mutualTLS" }
  /** Another scheme of the Authorization header: `digest`. The reader writes the whole value. */
  | { type: "http"; scheme: string }
  /** Named by the requirement, and not or not well declared. */
  | { type: "unknown" }
);

export interface OAuthFlow {
  flow: "authorizationCode" | "clientCredentials" | "password" | "implicit";
  authorizationUrl?: string;
  tokenUrl?: string;
  refreshUrl?: string;
  scopes: [string, string][];
}

/** Schemes that are needed together. */
export interface SecurityAlternative {
  /** Names joined by ` & `, `_` and `-` as spaces; empty when nothing is needed. */
  title: string;
  schemes: SecurityScheme[];
}
