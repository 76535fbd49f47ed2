/**
 * The stored sign-in setting of a project. `none` makes the site public, even if docs.json requires sign-in.
 */
export type SignInChoice = SignIn | { mode: "none" };

/** Returns the sign-in method of a setting. Undefined if the site is public or no setting is stored. */
export function signInOf(choice: SignInChoice | null): SignIn | undefined {
  return choice === null || choice.mode === "none" ? undefined : choice;
}

/** Sign-in method of a site's readers. */
export type SignIn =
  /**
   * All readers use one password. `passwordHash` is a result of `hashPassword`. `groups` are the groups of
   * every reader.
   */
  | { mode: "password"; passwordHash: string; groups?: readonly string[] }
  /**
   * The customer's login page redirects the reader back with a signed token. `publicKey` verifies the token.
   */
  | { mode: "jwt"; loginUrl: string; publicKey: string }
  | {
      mode: "oidc";
      issuer: string;
      clientId: string;
      clientSecret: string;
      scopes?: readonly string[];
      groupsClaim?: string;
    };
