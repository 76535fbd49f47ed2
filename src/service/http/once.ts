/** Runs the changes of API calls at most once per idempotency key. */

import { idempotent } from "../core/idempotency.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { Reply } from "./call.ts";

interface RepeatableCall {
  service: Service;
  params: object;
  body: unknown;
  header(name: string): string | undefined;
}

interface Change<Prepared, Answer> {
  /** The endpoint's operation ID. */
  operationId: string;
  /** Organization that the key belongs to. Undefined if the call creates an organization. */
  organizationId: string | undefined;
  /** What must be the same in a repeated call. Default: the call's body. */
  input?: unknown;
  /** Runs before the transaction, for slow checks. */
  prepare?(): Promise<Prepared>;
  /** Makes the change with `service`, whose database is a transaction. */
  run(service: Service & { db: Tx }, prepared: Prepared): Promise<Answer>;
  /** Headers of the response. */
  headers?(answer: Answer): Record<string, string>;
}

/**
 * Makes the change, or returns the response to an earlier call with the same `Idempotency-Key`. The endpoint
 * must declare `isIdempotent`.
 */
export async function once<Prepared, Answer>(
  { service, params, body, header }: RepeatableCall,
  { operationId, organizationId, input = body, prepare, run, headers }: Change<Prepared, Answer>,
): Promise<Reply<Answer>> {
  const { answer, isRepeated } = await idempotent(
    service,
    { organizationId },
    { route: operationId, key: header("idempotency-key"), body: [params, input ?? null] },
    async () => (await prepare?.()) as Prepared,
    (tx, prepared) => run({ ...service, db: tx }, prepared),
  );

  return new Reply(answer, {
    ...headers?.(answer),
    ...(isRepeated ? { "idempotent-replayed": "true" } : {}),
  });
}
