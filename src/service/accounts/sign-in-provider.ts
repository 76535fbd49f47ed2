/**
 * Implements single sign-on to the dashboard with OpenID Connect, at the provider that the operator has
 * configured.
 */

import { limits } from "../../base/limits.ts";
import { CookieSigner } from "../../host/sign-in/cookie-signer.ts";
import { type OpenIdChecks, OpenIdProviders } from "../../host/sign-in/open-id.ts";

/** Settings of the sign-in provider, from the operator. */
export interface ProviderSettings {
  /** Name of the provider on the button `Continue with …`. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** State of a sign-in at the provider, stored in a signed cookie until the user returns. */
export interface PendingSignIn {
  /** Path to redirect to after the sign-in. */
  next: string;
  /** Token of an invitation, whose page is shown after the sign-in. */
  invitation?: string;
  /** ID of the user to connect the identity to. */
  connectTo?: string;
}

/** Identity of a user at the provider. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** Email that the provider has verified; undefined if there is none. */
  email: string | undefined;
  name: string | undefined;
  /** Time of the user's last authentication at the provider, if reported. */
  authenticatedAt: Date | undefined;
}

/** A new user who has signed in at the provider and hasn't accepted the invitation yet. */
export interface InvitedIdentity {
  identity: Omit<ProviderIdentity, "authenticatedAt">;
  /** Token of the invitation. */
  invitation: string;
}

/** Lifetime of the cookie with the state of a sign-in. */
export const pendingSignIn_s = 600;

export class Provider {
  readonly name: string;
  private readonly signIn: {
    mode: "oidc";
    issuer: string;
    clientId: string;
    clientSecret: string;
    scopes: readonly string[];
  };
  private readonly redirectUri: string;
  private readonly signer: CookieSigner;
  private readonly invitedSigner: CookieSigner;
  // The operator configured the provider, so it may be in a private network.
  private readonly providers = new OpenIdProviders({ allowPrivate: true });

  constructor({ name, ...settings }: ProviderSettings, url: string, secret: string) {
    this.name = name;
    this.signIn = { mode: "oidc", ...settings, scopes: ["email", "profile"] };
    this.redirectUri = `${url}/dashboard/provider/back`;
    this.signer = new CookieSigner(Buffer.from(secret), "dashboard provider");
    this.invitedSigner = new CookieSigner(Buffer.from(secret), "invited identity");
  }

  /**
   * Returns the URL of the provider's sign-in page and the value of the state cookie. `isRenewed`: whether
   * users must authenticate again, even if they are signed in to the provider. Rejects if the provider can't
   * be reached.
   */
  async begin(pending: PendingSignIn, { isRenewed = false } = {}): Promise<{ url: string; cookie: string }> {
    const renewed = isRenewed ? { maxAge_s: limits.reauthentication_s } : {};
    const { url, checks } = await this.providers.begin(this.signIn, this.redirectUri, renewed);
    return {
      url: url.href,
      cookie: this.signer.sign({ ...pending, checks }, Date.now() + pendingSignIn_s * 1_000),
    };
  }

  /** Returns the value of a cookie that keeps the identity of a new user until they accept the invitation. */
  keepInvited({ identity, invitation }: InvitedIdentity): string {
    const { issuer, subject, email, name } = identity;
    return this.invitedSigner.sign(
      { identity: { issuer, subject, email, name }, invitation },
      Date.now() + pendingSignIn_s * 1_000,
    );
  }

  /**
   * Returns the identity in a cookie. Undefined if the cookie isn't valid or is for a different invitation.
   */
  invited(cookie: string, invitation: string): InvitedIdentity["identity"] | undefined {
    const kept = this.invitedSigner.verify(cookie, Date.now()) as InvitedIdentity | undefined;
    return kept?.invitation === invitation ? kept.identity : undefined;
  }

  /**
   * Completes a sign-in. Undefined if the cookie or the provider's response isn't valid, or the provider
   * can't be reached. `search`: query string of the callback URL.
   */
  async finish(
    cookie: string,
    search: string,
  ): Promise<{ identity: ProviderIdentity; pending: PendingSignIn } | undefined> {
    const opened = this.signer.verify(cookie, Date.now());
    if (!opened) return undefined;
    const { checks, next, invitation, connectTo } = opened as unknown as PendingSignIn & {
      checks: OpenIdChecks;
    };
    const claims = await this.providers
      .finish(this.signIn, new URL(this.redirectUri + search), checks)
      .catch(() => undefined);
    if (typeof claims?.sub !== "string") return undefined;

    return {
      identity: {
        issuer: this.signIn.issuer,
        subject: claims.sub,
        email: claims.email_verified === true && typeof claims.email === "string" ? claims.email : undefined,
        name: typeof claims.name === "string" ? claims.name : undefined,
        authenticatedAt:
          typeof claims.auth_time === "number" ? new Date(claims.auth_time * 1_000) : undefined,
      },
      pending: {
        next,
        ...(invitation === undefined ? {} : { invitation }),
        ...(connectTo === undefined ? {} : { connectTo }),
      },
    };
  }
}
