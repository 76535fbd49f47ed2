/** How the readers of a site sign in. */
export type SignIn =
  /** `passwordHash`: scrypt, as `base/password.ts` writes it. */
  | { mode: "password"; passwordHash: string; groups?: readonly string[] }
  /** The customer's own page signs a token and sends the reader back with it. */
  | { mode: "jwt"; loginUrl: string; publicKey: string }
  | { mode: "oidc"; issuer: string; clientId: string; clientSecret: string; scopes?: readonly string[]; groupsClaim?: string };
