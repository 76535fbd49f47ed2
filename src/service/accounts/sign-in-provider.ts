/** Single sign-on to the dashboard, at the provider that the operator configured. */
import { limits } from "../../base/limits.ts";
import { type OpenIdChecks, OpenIdProviders } from "../../host/sign-in/open-id.ts";
import { Seal } from "../../host/sign-in/sealed.ts";

/** The operator's setting. */
export interface ProviderSettings {
  /** On the button: `Continue with …`. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What is remembered in the browser until the person is back. */
export interface PendingSignIn {
  next: string;
  /** Token of an invitation that they came with. */
  invitation?: string;
  /** The account that the identity is to be connected to. */
  connectTo?: string;
}

/** As whom the provider knows somebody. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** Absent unless the provider vouches for it. */
  email: string | undefined;
  name: string | undefined;
  /** When they last proved to the provider who they are, if it says. */
  authenticatedAt: Date | undefined;
}

export const pendingSignIn_s = 600;

export class Provider {
  readonly name: string;
  private readonly signIn: { mode: "oidc"; issuer: string; clientId: string; clientSecret: string; scopes: readonly string[] };
  private readonly redirectUri: string;
  private readonly seal: Seal;
  // Named by the operator, whose own network it may stand in.
  private readonly providers = new OpenIdProviders({ allowPrivate: true });

  constructor({ name, ...settings }: ProviderSettings, url: string, secret: string) {
    this.name = name;
    this.signIn = { mode: "oidc", ...settings, scopes: ["email", "profile"] };
    this.redirectUri = `${url}/dashboard/provider/back`;
    this.seal = new Seal(Buffer.from(secret), "dashboard provider");
  }

  /** Where to go, and what to keep in a cookie until then. `isRenewed`: a sign-in from before does not count. */
  async begin(waiting: PendingSignIn, { isRenewed = false } = {}): Promise<{ to: string; kept: string }> {
    const renewed = isRenewed ? { maxAge_s: limits.reauthentication_s } : {};
    const { url, checks } = await this.providers.begin(this.signIn, this.redirectUri, renewed);
    return { to: url.href, kept: this.seal.close({ ...waiting, checks }, Date.now() + pendingSignIn_s * 1_000) };
  }

  /** Undefined when what came back is not what was sent for. `search`: of the address that the provider sent them back to. */
  async finish(kept: string, search: string): Promise<{ identity: ProviderIdentity; waiting: PendingSignIn } | undefined> {
    const opened = this.seal.open(kept, Date.now());
    if (!opened) return undefined;
    const { checks, next, invitation, connectTo } = opened as unknown as PendingSignIn & { checks: OpenIdChecks };
    const claims = await this.providers.finish(this.signIn, new URL(this.redirectUri + search), checks).catch(() => undefined);
    if (typeof claims?.sub !== "string") return undefined;
    return {
      identity: {
        issuer: this.signIn.issuer,
        subject: claims.sub,
        email: claims.email_verified === true && typeof claims.email === "string" ? claims.email : undefined,
        name: typeof claims.name === "string" ? claims.name : undefined,
        authenticatedAt: typeof claims.auth_time === "number" ? new Date(claims.auth_time * 1_000) : undefined,
      },
      waiting: { next, ...(invitation === undefined ? {} : { invitation }), ...(connectTo === undefined ? {} : { connectTo }) },
    };
  }
}
