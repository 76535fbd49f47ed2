/** What the platform answers instead of a result. The API makes an HTTP status of the kind; nothing else is told to callers. */
export type RefusalKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "gone"
  | "too-large"
  | "reused"
  | "rate-limited"
  | "unavailable";

export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly details: readonly string[];
  /** Seconds after which it is worth trying again. */
  readonly retryAfter_s: number | undefined;

  constructor(kind: RefusalKind, message: string, options: { details?: readonly string[]; retryAfter_s?: number } = {}) {
    super(message);
    this.kind = kind;
    this.details = options.details ?? [];
    this.retryAfter_s = options.retryAfter_s;
  }
}

/** One answer for what does not exist and for what is somebody else's. */
export function notFound(): Refusal {
  return new Refusal("not-found", "Not found");
}

/** The feature is off on this site. */
export function notAvailable(): Refusal {
  return new Refusal("not-found", "Not available on this site");
}

export function invalid(message: string, ...details: string[]): Refusal {
  return new Refusal("invalid", message, { details });
}
