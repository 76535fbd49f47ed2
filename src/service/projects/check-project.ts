/** Checks a project's model and sign-in settings. Returns error messages for the user, or an empty list. */

import type { Static } from "@sinclair/typebox";
import { parseUrl } from "../../base/url.ts";
import type { AssistantChoice, SignInSettings } from "./contract.ts";

export function modelProblems(assistant: Static<typeof AssistantChoice> | undefined): string[] {
  const url = assistant?.model ? parseUrl(assistant.model.baseUrl) : undefined;
  if (!assistant?.model || (url && /^https?:$/.test(url.protocol) && !url.username && !url.password))
    return [];
  return ["assistant.model.baseUrl must be an http or https URL without a user name or password"];
}

export function signInProblems(signIn: Static<typeof SignInSettings>): string[] {
  const problems: string[] = [];
  if (signIn.mode === "jwt") {
    if (!/^https?:$/.test(parseUrl(signIn.loginUrl)?.protocol ?? ""))
      problems.push("signIn.loginUrl must be an http or https URL");
    if (!/^-----BEGIN PUBLIC KEY-----\s[\s\S]+-----END PUBLIC KEY-----\s*$/.test(signIn.publicKey))
      problems.push("signIn.publicKey must be a public key in PEM format");
  }
  if (signIn.mode === "oidc" && parseUrl(signIn.issuer)?.protocol !== "https:")
    problems.push("signIn.issuer must be an https URL");
  return problems;
}
