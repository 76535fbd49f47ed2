/** Creates the API client that commands use, with the URL and credentials from the environment. */

import { systemErrorText } from "../io/system-error.ts";
import { ApiError, type Client, createClient } from "../service/app/client.ts";
import { UsageError } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Creates the client. Throws `UsageError` if the URL or the credential is missing. `command`: name of the
 * command, for the message.
 */
export function serviceClient(
  terminal: Terminal,
  command: string,
  credential: "key" | "operatorToken",
): Client {
  const { url } = terminal.service;
  const key = terminal.service[credential];
  const [name, what] =
    credential === "key" ? ["OCTAVO_API_KEY", "an API key"] : ["OCTAVO_OPERATOR_TOKEN", "the operator token"];
  if (url === undefined || key === undefined)
    throw new UsageError(`${command} requires OCTAVO_URL (the service's URL) and ${name} (${what})`);
  return createClient({ url, key });
}

/**
 * Returns the error message for a failed API call. The error can also be about a file that couldn't be read
 * for the request.
 */
export function errorMessage(error: unknown, { service }: Terminal): string {
  if (error instanceof ApiError) return [error.message, ...error.details].join("\n");
  const { cause } = error as { cause?: { code?: string; message?: string; address?: string } };
  const fileError =
    systemErrorText(error) ?? (cause?.address === undefined ? systemErrorText(cause) : undefined);
  if (fileError) return fileError;
  return `Can't connect to ${service.url}: ${cause?.code ?? cause?.message ?? (error as Error).message}. Check OCTAVO_URL and your network.`;
}
