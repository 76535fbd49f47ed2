/**
 * A small OpenID provider: discovery, authorization with PKCE and nonce, ID tokens signed with ES256. It
 * doesn't ask users to sign in.
 */

import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { unescapeHtml } from "../../src/base/html-text.ts";

interface Code {
  challenge: string;
  nonce: string;
  redirectUri: string;
}

export class OpenIdProvider {
  readonly clientId = "docs";
  readonly clientSecret = "a secret of the docs";
  /** Claims of the user who signs in. */
  claims: Record<string, unknown> = { groups: ["staff"] };
  /** Errors to inject into the responses. */
  fault: {
    nonce?: string;
    issuer?: string;
    audience?: string;
    lifetime?: string;
    token?: "unsigned" | "signed by a stranger";
  } = {};
  readonly asked: string[] = [];
  issuer = "";
  private readonly codes = new Map<string, Code>();
  private readonly server: Server;

  /** Settings of a service whose dashboard has this provider. */
  get env() {
    return {
      OCTAVO_SSO_NAME: "Acme",
      OCTAVO_SSO_ISSUER: this.issuer,
      OCTAVO_SSO_CLIENT_ID: this.clientId,
      OCTAVO_SSO_CLIENT_SECRET: this.clientSecret,
    };
  }

  constructor() {
    this.server = createServer(async (request, response) => {
      const url = new URL(request.url!, this.issuer);
      this.asked.push(`${request.method} ${url.pathname}`);
      let body = "";
      for await (const chunk of request) body += chunk;
      const json = (status: number, value: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (url.pathname === "/.well-known/openid-configuration")
        return json(200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
        });
      const { publicKey, privateKey } = await this.keys;
      if (url.pathname === "/keys")
        return json(200, { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256" }] });
      if (url.pathname === "/authorize") {
        const ask = url.searchParams;
        const code = randomBytes(16).toString("hex");
        const redirectUri = ask.get("redirect_uri")!;
        this.codes.set(code, {
          challenge: ask.get("code_challenge")!,
          nonce: ask.get("nonce")!,
          redirectUri,
        });
        const back = new URL(redirectUri);
        back.searchParams.set("code", code);
        back.searchParams.set("state", ask.get("state")!);
        return response.writeHead(302, { location: back.href }).end();
      }
      if (url.pathname === "/token") {
        const form = new URLSearchParams(body);
        const known = this.codes.get(form.get("code")!);
        this.codes.delete(form.get("code")!);
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const basic = Buffer.from(
          request.headers.authorization?.replace("Basic ", "") ?? "",
          "base64",
        ).toString();
        const [, secret = form.get("client_secret")] = basic
          ? basic.split(":").map((part) => decodeURIComponent(part.replaceAll("+", " ")))
          : [];
        if (
          !known ||
          known.challenge !== challenge ||
          known.redirectUri !== form.get("redirect_uri") ||
          secret !== this.clientSecret
        )
          return json(400, { error: "invalid_grant" });
        const stranger = await generateKeyPair("ES256");
        const signed = await new SignJWT({ nonce: this.fault.nonce ?? known.nonce, ...this.claims })
          .setProtectedHeader({ alg: "ES256", kid: "1" })
          .setIssuer(this.fault.issuer ?? this.issuer)
          .setAudience(this.fault.audience ?? this.clientId)
          .setSubject(String(this.claims.sub ?? "reader-1"))
          .setIssuedAt()
          .setExpirationTime(this.fault.lifetime ?? "5m")
          .sign(this.fault.token === "signed by a stranger" ? stranger.privateKey : privateKey);
        const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
        const token = this.fault.token === "unsigned" ? `${none}.${signed.split(".")[1]}.` : signed;
        return json(200, { access_token: "x", token_type: "Bearer", id_token: token });
      }
      return json(404, {});
    });
  }

  private readonly keys = generateKeyPair("ES256");

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/**
 * The address to which a response sends the browser: by its header or, after a form, by a page. Undefined if it
 * sends it nowhere.
 */
export function addressOf({ headers, text }: { headers: object; text: string }): string | undefined {
  const { location } = headers as { location?: string };
  const [, url] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? [];
  return location ?? (url === undefined ? undefined : unescapeHtml(url));
}
