/**
 * Manages the sessions of readers. A session is a signed cookie with the project, the reader's groups and a
 * hash of the project's sign-in settings. Changing these settings ends all sessions.
 */

import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../../base/access.ts";
import { type ReaderData, readerDataCookie } from "../../base/reader-data.ts";
import type { HostedSite } from "../hosted-site.ts";
import { CookieSigner } from "./cookie-signer.ts";
import { SiteCookie } from "./cookies.ts";
import { writeReaderData } from "./reader-data.ts";
import { visitorCookie } from "./visitor.ts";

/** Lifetime of a session. Requests don't extend it. */
const readerSession_s = 12 * 60 * 60;
/** Maximum total size of the group names in a cookie, in bytes. Browsers limit cookies to 4 KB. */
const readerGroups_bytes = 2_500;

export class ReaderSessions {
  private readonly signer: CookieSigner;
  private readonly cookie: SiteCookie;
  /**
   * A random ID of the session, by which pages know whether the browser's storage and the page on screen are
   * from this session.
   */
  private readonly idCookie: SiteCookie;
  /** What the sign-in says about the reader for the playground. */
  private readonly dataCookie: SiteCookie;
  private readonly visitorCookie: SiteCookie;

  constructor(secret: Buffer, isSecure: boolean) {
    this.signer = new CookieSigner(secret, "reader session");
    this.cookie = new SiteCookie("octavo_reader", isSecure);
    this.idCookie = new SiteCookie("octavo_reader_session", isSecure, { isForScripts: true });
    this.dataCookie = new SiteCookie(readerDataCookie, isSecure, { isForScripts: true });
    this.visitorCookie = visitorCookie(isSecure);
  }

  /** Returns the signed-in reader. Undefined if the request has no valid session of this site. */
  readerOf(request: IncomingMessage, site: HostedSite, basePath: string): Reader | undefined {
    return this.sessionOf(request, site, basePath)?.reader;
  }

  /** Returns the reader with the Unix time in seconds when the session ends. Undefined as for `readerOf`. */
  sessionOf(
    request: IncomingMessage,
    site: HostedSite,
    basePath: string,
  ): { reader: Reader; ends_s: number } | undefined {
    const cookie = this.cookie.read(request, basePath);
    const session = cookie === undefined ? undefined : this.signer.verify(cookie, Date.now());
    if (
      session?.project !== site.projectId ||
      session.signIn !== settingsOf(site) ||
      !Array.isArray(session.groups)
    )
      return undefined;
    return { reader: { groups: session.groups as string[] }, ends_s: session.exp as number };
  }

  /** Starts a session: sets the cookies. */
  begin(
    response: ServerResponse,
    site: HostedSite,
    basePath: string,
    { groups, data }: { groups: readonly string[]; data: ReaderData },
  ): void {
    const session = { project: site.projectId, signIn: settingsOf(site), groups: groupsThatFit(groups) };
    const value = this.signer.sign(session, Date.now() + readerSession_s * 1_000);
    this.cookie.set(response, basePath, value, readerSession_s);
    this.idCookie.set(response, basePath, randomBytes(12).toString("hex"), readerSession_s);
    if (Object.keys(data).length > 0)
      this.dataCookie.set(response, basePath, writeReaderData(data), readerSession_s);
    else this.dataCookie.remove(response, basePath);
  }

  /**
   * Ends the session. Also removes the reader's data and the visitor cookie, so that the next user of the
   * browser can't continue this reader's threads.
   */
  end(request: IncomingMessage, response: ServerResponse, basePath: string): void {
    this.cookie.remove(response, basePath);
    this.idCookie.remove(response, basePath);
    for (const cookie of [this.dataCookie, this.visitorCookie])
      if (cookie.read(request, basePath) !== undefined) cookie.remove(response, basePath);
  }
}

/** Returns a hash of a site's sign-in settings. */
export function settingsOf({ signIn }: HostedSite): string {
  return createHash("sha256").update(JSON.stringify(signIn)).digest("base64url").slice(0, 16);
}

/**
 * Leaves out groups that don't fit into the cookie. The reader then can't access the content for these
 * groups.
 */
function groupsThatFit(groups: readonly string[]): string[] {
  let size = 0;
  return groups.filter((group) => (size += Buffer.byteLength(group) + 4) <= readerGroups_bytes);
}
