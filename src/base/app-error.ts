/** Expected errors of the service: the message is for the caller, the code decides the HTTP status. */
const statuses = {
  invalid: 400,
  unauthorized: 401,
  /** A reader must sign in to the site; unlike `unauthorized`, no credentials of the API help. */
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

export interface ErrorOptions {
  /** One sentence for each field; begins with the field's name. */
  details?: readonly string[];
  /** When the caller may try again. */
  retryAfter_s?: number;
  /** Of the HTTP response. */
  headers?: Readonly<Record<string, string>>;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  /** Of HTTP. */
  readonly status: number;
  readonly details: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { details = [], retryAfter_s, headers = {} }: ErrorOptions = {}) {
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

/** The same error for what doesn't exist and for what belongs to another organization. */
export function notFound(): AppError {
  return new AppError("not-found", "Not found");
}

/** The feature is off on this site. */
export function notAvailable(): AppError {
  return new AppError("not-found", "Not available on this site");
}

export function invalid(message: string, ...details: string[]): AppError {
  return new AppError("invalid", message, { details });
}
