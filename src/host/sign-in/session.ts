/**
 * Manages the sessions of readers. A session is a signed cookie with the project, the reader's groups and a hash of the project's sign-in
 * settings. Changing these settings ends all sessions.
 */

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../../base/access.ts";
import type { HostedSite } from "../hosted-site.ts";
import { CookieSigner } from "./cookie-signer.ts";
import { cookieName, readCookie, setCookie } from "./cookies.ts";
import { visitorCookie } from "./visitor.ts";

/** Lifetime of a session. Requests don't extend it. */
const readerSession_s = 12 * 60 * 60;
/** Maximum total size of the group names in a cookie, in bytes. Browsers limit cookies to 4 KB. */
const readerGroups_bytes = 2_500;

export class ReaderSessions {
  private readonly signer: CookieSigner;
  private readonly isSecure: boolean;
  private readonly cookie: string;

  constructor(secret: Buffer, isSecure: boolean) {
    this.signer = new CookieSigner(secret, "reader session");
    this.isSecure = isSecure;
    this.cookie = cookieName("octavo_reader", isSecure);
  }

  /** Returns the signed-in reader. Undefined if the request has no valid session of this site. */
  readerOf(request: IncomingMessage, site: HostedSite): Reader | undefined {
    const cookie = readCookie(request, this.cookie);
    const session = cookie === undefined ? undefined : this.signer.verify(cookie, Date.now());
    if (session?.project !== site.projectId || session.signIn !== settingsOf(site) || !Array.isArray(session.groups)) return undefined;
    return { groups: session.groups as string[] };
  }

  /** Starts a session: sets the cookie. */
  begin(response: ServerResponse, site: HostedSite, groups: readonly string[]): void {
    const session = { project: site.projectId, signIn: settingsOf(site), groups: groupsThatFit(groups) };
    const value = this.signer.sign(session, Date.now() + readerSession_s * 1_000);
    setCookie(response, this.cookie, value, { seconds: readerSession_s, isSecure: this.isSecure });
  }

  /** Ends the session. Also removes the visitor cookie, so that the next user of the browser can't continue this reader's threads. */
  end(request: IncomingMessage, response: ServerResponse): void {
    setCookie(response, this.cookie, "", { seconds: 0, isSecure: this.isSecure });
    const visitor = visitorCookie(this.isSecure);
    if (readCookie(request, visitor) !== undefined) setCookie(response, visitor, "", { seconds: 0, isSecure: this.isSecure });
  }
}

function settingsOf({ signIn }: HostedSite): string {
  return createHash("sha256").update(JSON.stringify(signIn)).digest("base64url").slice(0, 16);
}

/** Leaves out groups that don't fit into the cookie. The reader then can't access the content for these groups. */
function groupsThatFit(groups: readonly string[]): string[] {
  let size = 0;
  return groups.filter((group) => (size += Buffer.byteLength(group) + 4) <= readerGroups_bytes);
}
