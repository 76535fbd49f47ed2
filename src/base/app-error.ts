/** HTTP status by error code. */
const statuses = {
  invalid: 400,
  unauthorized: 401,
  /** A reader must sign in to the site. Unlike with `unauthorized`, API credentials don't help. */
  "sign-in": 401,
  forbidden: 403,
  "not-found": 404,
  "wrong-method": 405,
  conflict: 409,
  gone: 410,
  "too-large": 413,
  "wrong-type": 415,
  "wrong-range": 416,
  reused: 422,
  "rate-limited": 429,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statuses;

/** What is wrong with a field of the input. */
export interface FieldError {
  /** Name or path of the field, such as `signIn.loginUrl` or `allowedIps.0`. */
  field: string;
  text: string;
  /**
   * Whether the field is the subject of the text, such as `must not be empty`. Otherwise, it's a sentence.
   */
  isPredicate: boolean;
}

/** A sentence about an error, or what is wrong with a field. */
export type ErrorDetail = string | FieldError;

export interface AppErrorOptions {
  details?: readonly ErrorDetail[];
  /** Seconds until the caller may try again. */
  retryAfter_s?: number;
  /** Additional headers of the HTTP response. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * An error that is shown to API clients, dashboard users and callers of a site's endpoints. The code
 * determines the HTTP status.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    { details = [], retryAfter_s, headers = {} }: AppErrorOptions = {},
  ) {
    super(message);
    this.code = code;
    this.status = statuses[code];
    this.details = details;
    this.headers = {
      ...(code === "unauthorized" ? { "www-authenticate": 'Bearer realm="api"' } : {}),
      ...(retryAfter_s === undefined ? {} : { "retry-after": String(retryAfter_s) }),
      ...headers,
    };
  }
}

/**
 * Returns the same error for a resource that doesn't exist and for one that belongs to another organization,
 * so that callers can't distinguish them.
 */
export function notFound(): AppError {
  return new AppError("not-found", "Not found");
}

/** Returns the error for a feature that isn't available on a site. */
export function notAvailable(): AppError {
  return new AppError("not-found", "Not available on this site");
}

/** Returns the error for a request with invalid input. */
export function invalid(message: string, ...details: ErrorDetail[]): AppError {
  return new AppError("invalid", message, { details });
}

/** Describes an error of a field whose name is the subject: `fieldThat("name", "must not be empty")`. */
export function fieldThat(field: string, text: string): FieldError {
  return { field, text, isPredicate: true };
}

/** Describes an error of a field with a sentence: `atField("domain", "Choose a domain")`. */
export function atField(field: string, text: string): FieldError {
  return { field, text, isPredicate: false };
}

/** Returns a detail as text for clients of the API. */
export function detailText(detail: ErrorDetail): string {
  if (typeof detail === "string") return detail;
  return `${detail.field}${detail.isPredicate ? "" : ":"} ${detail.text}`;
}
