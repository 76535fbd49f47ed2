/** Explains errors of network connections in plain language. */

const untrusted = "The server's certificate isn't trusted";
const reasons: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection",
  ECONNRESET: "The connection was interrupted",
  EPIPE: "The connection was interrupted",
  ETIMEDOUT: "The connection timed out",
  EHOSTUNREACH: "The server can't be reached",
  ENETUNREACH: "The server can't be reached",
  ENOTFOUND: "The host name can't be resolved",
  EAI_AGAIN: "The host name can't be resolved",
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for a different host name",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** Returns the reason why a connection failed, according to the error's code. Undefined for unknown codes. */
export function networkErrorText(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? undefined : reasons[code];
}
