/** The stored setting of a project. `none`: explicitly public, even if docs.json requires sign-in. */
export type SignInChoice = SignIn | { mode: "none" };

export function signInOf(choice: SignInChoice | null): SignIn | undefined {
  return choice === null || choice.mode === "none" ? undefined : choice;
}

/** How the readers of a site sign in. */
export type SignIn =
  /** `passwordHash`: scrypt, as `base/password.ts` writes it. */
  | { mode: "password"; passwordHash: string; groups?: readonly string[] }
  /** The customer's login page redirects the reader back with a signed token. */
  | { mode: "jwt"; loginUrl: string; publicKey: string }
  | { mode: "oidc"; issuer: string; clientId: string; clientSecret: string; scopes?: readonly string[]; groupsClaim?: string };
