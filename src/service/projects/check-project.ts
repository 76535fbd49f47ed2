/** Checks the settings of a project. Returns error messages for the user. */

import type { Static } from "@sinclair/typebox";
import { parseUrl } from "../../base/url.ts";
import { checkGitSource, GitRefused } from "../../io/check-git-source.ts";
import type { ServiceSettings } from "../core/service.ts";
import type { ProjectSource } from "../core/tables.ts";
import type { AssistantChoice, SignInSettings } from "./contract.ts";

export function modelProblems(assistant: Static<typeof AssistantChoice> | undefined): string[] {
  const url = assistant?.model ? parseUrl(assistant.model.baseUrl) : undefined;
  if (!assistant?.model || (url && /^https?:$/.test(url.protocol) && !url.username && !url.password)) return [];
  return ["assistant.model.baseUrl must be an http or https URL"];
}

export function signInProblems(signIn: Static<typeof SignInSettings>): string[] {
  const problems: string[] = [];
  if (signIn.mode === "jwt") {
    if (!/^https?:$/.test(parseUrl(signIn.loginUrl)?.protocol ?? "")) problems.push("signIn.loginUrl must be an http or https URL");
    if (!/^-----BEGIN PUBLIC KEY-----\s[\s\S]+-----END PUBLIC KEY-----\s*$/.test(signIn.publicKey))
      problems.push("signIn.publicKey must be a public key in PEM form");
  }
  if (signIn.mode === "oidc" && parseUrl(signIn.issuer)?.protocol !== "https:") problems.push("signIn.issuer must be an https URL");
  return problems;
}

/**
 * Errors of a git source. Allows all protocols that an operator can allow, except `file` if it isn't allowed. Whether the
 * operator allows the protocol is checked when the repository is read.
 */
export function sourceProblems(source: ProjectSource, { git }: ServiceSettings): string[] {
  if (source.kind !== "git") return [];
  try {
    checkGitSource(source, { protocols: ["ssh", "http", ...(git?.protocols.includes("file") ? (["file"] as const) : [])] });
    return [];
  } catch (error) {
    if (error instanceof GitRefused) return [`source: ${error.message}`];
    throw error;
  }
}
