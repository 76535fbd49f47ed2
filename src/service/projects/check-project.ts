/** Checks a project's model and sign-in settings. Returns the errors, or an empty list. */

import type { Static } from "@sinclair/typebox";
import { type FieldError, fieldThat } from "../../base/app-error.ts";
import { parseUrl } from "../../base/url.ts";
import type { AssistantChoice, SignInSettings } from "./contract.ts";

export function modelProblems(assistant: Static<typeof AssistantChoice> | undefined): FieldError[] {
  const url = assistant?.model ? parseUrl(assistant.model.baseUrl) : undefined;
  if (!assistant?.model || (url && /^https?:$/.test(url.protocol) && !url.username && !url.password))
    return [];
  return [
    fieldThat("assistant.model.baseUrl", "must be an http or https URL without a user name or password"),
  ];
}

export function signInProblems(signIn: Static<typeof SignInSettings>): FieldError[] {
  const problems: FieldError[] = [];
  if (signIn.mode === "jwt") {
    if (!/^https?:$/.test(parseUrl(signIn.loginUrl)?.protocol ?? ""))
      problems.push(fieldThat("signIn.loginUrl", "must be an http or https URL"));
    if (!/^-----BEGIN PUBLIC KEY-----\s[\s\S]+-----END PUBLIC KEY-----\s*$/.test(signIn.publicKey))
      problems.push(fieldThat("signIn.publicKey", "must be a public key in PEM format"));
  }
  if (signIn.mode === "oidc" && parseUrl(signIn.issuer)?.protocol !== "https:")
    problems.push(fieldThat("signIn.issuer", "must be an https URL"));
  return problems;
}
