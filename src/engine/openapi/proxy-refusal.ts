/** What a site's server answers when it doesn't send a playground's request, or couldn't. */

export type ProxyRefusalCode =
  | "access"
  | "address"
  | "headers"
  | "method"
  | "not-connected"
  | "origin"
  | "rate"
  | "sign-in"
  | "target"
  | "timeout"
  | "too-large"
  | "unreachable";

export interface ProxyRefusalBody {
  error: string;
  code: ProxyRefusalCode;
  /** The host that the operator could allow, and how. */
  blocked?: { host: string; entry: string; setting: string };
}

/** Nothing was sent to the API, and the reader's browser may do what the server can't. */
export const browserMaySend: ReadonlySet<ProxyRefusalCode> = new Set(["address", "not-connected", "target", "too-large"]);
