/** A server of the document and its variables → the address that requests go to. */
import type { Server } from "../../engine/openapi/operation.ts";

export interface ServerAddress {
  /** As the document and the reader have it; for showing. */
  text: string;
  /** Absolute, without a slash at its end; undefined when nothing may be sent there. */
  url?: string;
  /** Whom credentials are for. */
  origin?: string;
}

export function addressOf(server: Server | undefined, variables: Record<string, string>): ServerAddress {
  if (!server) return { text: "" };
  const text = server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const known = server.variables.find((variable) => variable.name === name);
    return known ? (Object.hasOwn(variables, name) ? variables[name]! : known.default) : whole;
  });
  const url = resolved(text);
  // Documents are strangers' words: only a web address is called, and never with a name and password in it.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return { text };
  return { text, url: url.href.replace(/[?#].*$/, "").replace(/\/+$/, ""), origin: url.origin };
}

function resolved(text: string): URL | undefined {
  try {
    return new URL(text, location.href);
  } catch {
    return undefined;
  }
}

/** A web address of the document, against that of its server; undefined for any other kind. */
export function webAddress(text: string | undefined, base: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    const url = new URL(text, base ? `${base}/` : undefined);
    return /^https?:$/.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
