/** The error body of a site's playground proxy when a request was not sent or could not be sent. */

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
  /** The blocked host, with the entry and the setting with which an operator can allow it. */
  blocked?: { host: string; entry: string; setting: string };
}

/** Refusals without a request to the API, after which the browser can send the request itself. */
export const browserMaySend: ReadonlySet<ProxyRefusalCode> = new Set(["address", "not-connected", "target", "too-large"]);
