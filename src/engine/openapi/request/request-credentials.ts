/**
 * Converts credentials to headers, query parameters and cookies of a request, and fills empty ones with
 * placeholders.
 */

import { encodeCookie, encodeHeader, encodeText, wellFormed } from "./percent-encode.ts";
import type { Credential, RequestInputs } from "./request-model.ts";

export interface PlacedCredential {
  in: "header" | "query" | "cookie";
  name: string;
  /** The value, encoded for its location. */
  value: string;
}

/** Converts one credential. Undefined if the credential is empty or its scheme adds nothing to a request. */
export function placeCredential({ scheme, value }: Credential): PlacedCredential | undefined {
  const text = encodeHeader(typeof value === "string" ? value : "");
  const authorization = (prefix: string): PlacedCredential | undefined => {
    // Removes the prefix if a reader pasted the whole header value.
    const bare = text.toLowerCase().startsWith(`${prefix.toLowerCase()} `)
      ? text.slice(prefix.length + 1).trim()
      : text;
    return bare ? { in: "header", name: "Authorization", value: `${prefix} ${bare}` } : undefined;
  };

  switch (scheme.type) {
    case "apiKey":
      if (!text) return undefined;
      if (scheme.in === "query")
        return { in: "query", name: scheme.name, value: encodeText(String(value).trim()) };
      return { in: scheme.in, name: scheme.name, value: scheme.in === "cookie" ? encodeCookie(text) : text };
    case "basic": {
      if (typeof value === "string") return authorization("Basic");
      if (!value.username && !value.password) return undefined;
      const pair = new TextEncoder().encode(wellFormed(`${value.username}:${value.password}`));
      return { in: "header", name: "Authorization", value: `Basic ${base64(pair)}` };
    }
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return authorization("Bearer");
    case "http":
      return text ? { in: "header", name: "Authorization", value: text } : undefined;
    default:
      return undefined;
  }
}

/** Fills empty credentials with placeholders for code samples. */
export function withPlaceholders(inputs: RequestInputs): RequestInputs {
  const credentials = inputs.credentials.map((credential) =>
    placeCredential(credential) ? credential : { ...credential, value: placeholder(credential) },
  );
  return { ...inputs, credentials };
}

function placeholder({ scheme }: Credential): string {
  if (scheme.type === "apiKey") return "YOUR_API_KEY";
  if (scheme.type === "basic") return "YOUR_CREDENTIALS";
  return scheme.type === "http" ? `${scheme.scheme} YOUR_CREDENTIALS` : "YOUR_TOKEN";
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
