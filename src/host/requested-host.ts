/** The host that a request names. Everything else follows from it: whose site, whose session. */
import type { IncomingMessage } from "node:http";
import { readHostName } from "../base/host-name.ts";

/** In lower case, as ASCII, without its port; undefined when the request names none, two, or something else than a host. */
export function hostName(request: IncomingMessage): string | undefined {
  const named: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    if (request.rawHeaders[i]!.toLowerCase() === "host") named.push(request.rawHeaders[i + 1]!);
  return named.length === 1 ? normalHost(named[0]!) : undefined;
}

/** Node reads header bytes as Latin-1; a name of other letters arrives as UTF-8. */
function normalHost(header: string): string | undefined {
  const text = header.replace(/:\d{1,5}$/, "");
  if (/^\[[\da-f:.]+\]$/i.test(text)) return text.toLowerCase();
  return readHostName(Buffer.from(text, "latin1").toString("utf8"));
}
