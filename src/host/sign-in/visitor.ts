/**
 * Identifies the browser of an assistant's user with a signed cookie, so that only this browser can continue
 * a thread. The widget on another website has no cookies: it sends the same value in a header.
 */

import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../../base/access.ts";
import { visitorHeader } from "../../layout/site-layout.ts";
import { CookieSigner } from "./cookie-signer.ts";
import { SiteCookie } from "./cookies.ts";

/** Lifetime of the cookie. */
const visitor_s = 30 * 24 * 3_600;

interface VisitorRequest {
  request: IncomingMessage;
  response: ServerResponse;
  basePath: string;
  reader: Reader | undefined;
  /** Whether the widget on another website sent the request. */
  isWidget?: boolean;
}

export class Visitors {
  private readonly signer: CookieSigner;
  private readonly key: Buffer;
  private readonly cookie: SiteCookie;

  constructor(secret: Buffer, isSecure: boolean) {
    this.signer = new CookieSigner(secret, "visitor");
    this.key = Buffer.from(hkdfSync("sha256", secret, "octavo", "asker", 32));
    this.cookie = visitorCookie(isSecure);
  }

  /**
   * Returns a 16-byte hash of the browser's ID and the reader's groups. Sets the cookie, or the header of a
   * response to the widget, if the request has no valid one.
   */
  visitorHash({ request, response, basePath, reader, isWidget = false }: VisitorRequest): Buffer {
    const sent = isWidget ? request.headers[visitorHeader] : this.cookie.read(request, basePath);
    let id = typeof sent === "string" ? this.signer.verify(sent, Date.now())?.id : undefined;
    if (typeof id !== "string") {
      id = randomBytes(16).toString("base64url");
      const value = this.signer.sign({ id }, Date.now() + visitor_s * 1_000);
      if (isWidget) response.setHeader(visitorHeader, value);
      else this.cookie.set(response, basePath, value, visitor_s);
    }
    return this.hash([id, sortedGroups(reader)]);
  }

  /**
   * Returns a hash of the reader's groups, for questions through the API. Undefined if there is no reader.
   */
  groupsHash(reader: Reader | undefined): Buffer | undefined {
    return reader && this.hash([sortedGroups(reader)]);
  }

  private hash(of: unknown): Buffer {
    return createHmac("sha256", this.key).update(JSON.stringify(of)).digest().subarray(0, 16);
  }
}

/** Returns the cookie that identifies the browser. */
export function visitorCookie(isSecure: boolean): SiteCookie {
  return new SiteCookie("octavo_visitor", isSecure);
}

function sortedGroups(reader: Reader | undefined): readonly string[] | null {
  return reader ? [...reader.groups].sort() : null;
}
