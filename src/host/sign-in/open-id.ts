/** Readers who sign in at the customer's OpenID provider: authorization code with PKCE, state and nonce. */

import { LRUCache } from "lru-cache";
import * as client from "openid-client";
import { limits } from "../../base/limits.ts";
import type { SignIn } from "../../base/sign-in.ts";
import { type OutboundFetchOptions, outboundFetch } from "../../io/outbound-fetch.ts";

/** Settings of an OpenID provider are read again after this time. */
const openIdSettings_s = 10 * 60;

type OpenIdSignIn = Extract<SignIn, { mode: "oidc" }>;

/** What must come back unchanged; it waits in the reader's browser. */
export interface OpenIdChecks {
  state: string;
  nonce: string;
  verifier: string;
  /** The person must have signed in at the provider within these seconds. */
  maxAge_s?: number;
}

export class OpenIdProviders {
  private readonly outbound: OutboundFetchOptions;
  private readonly configurations = new LRUCache<string, Promise<client.Configuration>>({
    max: limits.hostedSites_count,
    ttl: openIdSettings_s * 1_000,
  });

  constructor(outbound: OutboundFetchOptions) {
    this.outbound = outbound;
  }

  /** Where the reader signs in, and what to remember until they are back. */
  async begin(
    signIn: OpenIdSignIn,
    redirectUri: string,
    { maxAge_s }: Pick<OpenIdChecks, "maxAge_s"> = {},
  ): Promise<{ url: URL; checks: OpenIdChecks }> {
    const configuration = await this.configurationOf(signIn);
    const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
    const renewed = maxAge_s === undefined ? undefined : { prompt: "login", max_age: String(maxAge_s) };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ["openid", ...(signIn.scopes ?? [])].filter((scope, index, all) => all.indexOf(scope) === index).join(" "),
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
      state: checks.state,
      nonce: checks.nonce,
      ...renewed,
    });
    return { url, checks: { ...checks, ...(maxAge_s === undefined ? {} : { maxAge_s }) } };
  }

  /** What the provider says of who signed in; throws when what came back is not what was sent for. */
  async finish(
    signIn: OpenIdSignIn,
    address: URL,
    { state, nonce, verifier, maxAge_s }: OpenIdChecks,
  ): Promise<client.IDToken | undefined> {
    const tokens = await client.authorizationCodeGrant(await this.configurationOf(signIn), address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(maxAge_s === undefined ? {} : { maxAge: maxAge_s }),
    });
    return tokens.claims();
  }

  private configurationOf({ issuer, clientId, clientSecret }: OpenIdSignIn): Promise<client.Configuration> {
    const key = JSON.stringify([issuer, clientId, clientSecret]);
    const cached = this.configurations.get(key);
    if (cached) return cached;
    // By https only, but where addresses of this machine are allowed at all.
    const insecure = this.outbound.allowPrivate ? [client.allowInsecureRequests] : [];
    // The provider's signature is checked, too, and not only the connection that the token came by.
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    const configuration = client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      [client.customFetch]: outboundFetch(this.outbound) as client.CustomFetch,
    });
    this.configurations.set(key, configuration);
    configuration.catch(() => this.configurations.delete(key));
    return configuration;
  }
}
