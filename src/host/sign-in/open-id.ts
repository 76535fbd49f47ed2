/**
 * Implements sign-in with an OpenID provider, using the authorization code flow with PKCE, state and nonce.
 */

import { LRUCache } from "lru-cache";
import * as client from "openid-client";
import { limits } from "../../base/limits.ts";
import type { SignIn } from "../../base/reader-sign-in.ts";
import { type OutboundFetchOptions, outboundFetch } from "../../io/outbound-fetch.ts";

/** Lifetime of a provider's discovery document in the cache. */
const openIdSettings_s = 10 * 60;

type OpenIdOutbound = Omit<OutboundFetchOptions, "sender" | "owner">;

type OpenIdSignIn = Extract<SignIn, { mode: "oidc" }>;

/** Values that verify the provider's response, stored in a cookie. */
export interface OpenIdChecks {
  state: string;
  nonce: string;
  verifier: string;
  /** Maximum age of the user's authentication at the provider. */
  maxAge_s?: number;
}

/** Maximum number of objects and arrays of a response. A set of 100 keys has about 200. */
const values_count = 5_000;

export class OpenIdProviders {
  private readonly outbound: OpenIdOutbound;
  private readonly configurations = new LRUCache<string, Promise<client.Configuration>>({
    max: limits.hostedSites_count,
    ttl: openIdSettings_s * 1_000,
  });

  constructor(outbound: OpenIdOutbound) {
    this.outbound = outbound;
  }

  /**
   * Starts the flow. Returns the authorization URL, and the values to store until the user returns. With
   * `maxAge_s`, the provider asks users to sign in again. `owner`: as in `OutboundOptions`. Rejects if the
   * provider can't be reached.
   */
  async begin(
    signIn: OpenIdSignIn,
    redirectUri: string,
    { maxAge_s, owner }: Pick<OpenIdChecks, "maxAge_s"> & { owner?: string | undefined } = {},
  ): Promise<{ url: URL; checks: OpenIdChecks }> {
    const configuration = await this.configurationOf(signIn, owner);

    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };

    const renewed = maxAge_s === undefined ? undefined : { prompt: "login", max_age: String(maxAge_s) };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ["openid", ...(signIn.scopes ?? [])]
        .filter((scope, index, all) => all.indexOf(scope) === index)
        .join(" "),
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
      state: checks.state,
      nonce: checks.nonce,
      ...renewed,
    });

    return { url, checks: { ...checks, ...(maxAge_s === undefined ? {} : { maxAge_s }) } };
  }

  /**
   * Finishes the flow. Returns the claims of the ID token. Rejects if the response is invalid or the provider
   * can't be reached.
   */
  async finish(
    signIn: OpenIdSignIn,
    callbackUrl: URL,
    { state, nonce, verifier, maxAge_s }: OpenIdChecks,
    owner?: string,
  ): Promise<client.IDToken | undefined> {
    const configuration = await this.configurationOf(signIn, owner);
    const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(maxAge_s === undefined ? {} : { maxAge: maxAge_s }),
    });
    return tokens.claims();
  }

  private configurationOf(
    { issuer, clientId, clientSecret }: OpenIdSignIn,
    owner: string | undefined,
  ): Promise<client.Configuration> {
    const key = JSON.stringify([owner, issuer, clientId, clientSecret]);
    const cached = this.configurations.get(key);
    if (cached) return cached;

    // http is only allowed together with private addresses.
    const insecure = this.outbound.allowPrivate ? [client.allowInsecureRequests] : [];

    // Verifies the signature of the ID token in addition to TLS.
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    const configuration = client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      [client.customFetch]: outboundFetch({
        ...this.outbound,
        sender: "open-id",
        owner,
        values_count,
      }) as client.CustomFetch,
    });

    this.configurations.set(key, configuration);
    configuration.catch(() => this.configurations.delete(key));
    return configuration;
  }
}
