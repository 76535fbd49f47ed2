/** Checks whether a domain responds with a valid certificate. */

import { splitDomain } from "../../base/site-domain.ts";
import { HostNotAllowed, sendRequest } from "../../io/outbound.ts";
import type { ServiceSettings } from "../core/service.ts";
import type { DomainCheck } from "../core/tables.ts";

const handshake_ms = 10_000;

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The certificate has expired.",
  CERT_NOT_YET_VALID: "The certificate isn't valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is from a certificate authority that browsers don't trust.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The certificate is from a certificate authority that browsers don't trust.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "The certificate is from a certificate authority that browsers don't trust.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for a different host name.",
};

/**
 * Connects over HTTPS, which fails if the certificate is invalid. A response with any status counts as valid.
 * Skips the check if the service itself has a loopback URL. Only tests set `port`.
 */
export async function inspectTls(
  { url, allowed }: Pick<ServiceSettings, "url" | "allowed">,
  domain: string,
  signal: AbortSignal,
  port = 443,
): Promise<DomainCheck["tls"]> {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname)) return { state: "not-checked" };

  const options = {
    sender: "tls-check" as const,
    method: "HEAD",
    headers: {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(handshake_ms)]),
  };

  try {
    const { host, path } = splitDomain(domain);
    const response = await sendRequest(new URL(`https://${host}:${port}${path}/`), {
      ...options,
      ...(allowed ? { allowed } : {}),
    });
    response.destroy();
    return { state: "valid" };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (Object.hasOwn(reasons, code)) return { state: "invalid", reason: reasons[code]! };
    if (error instanceof HostNotAllowed)
      return { state: "unreachable", reason: "The domain isn't on the public internet." };
    if (/^(?:EPROTO|ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_)/.test(code))
      return { state: "invalid", reason: "The TLS handshake failed." };
    return { state: "unreachable", reason: "No server responded on port 443." };
  }
}
