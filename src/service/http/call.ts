/** Types of API handlers. A handler receives an authenticated call with a validated query and JSON body. */

import type { Readable } from "node:stream";
import type { HostedSite } from "../../host/hosted-site.ts";
import type { BodyOf, Endpoint, ParamsOf, QueryFor, ResultOf } from "../core/endpoint.ts";
import type { Origin, Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

/** The site that a request is for. `origin`: URL of the site, without a trailing slash. */
export interface RequestedSite {
  site: HostedSite;
  origin: string;
}

export interface Call<E extends Endpoint> {
  service: Service;
  /** Scope of the caller; undefined for the operator. */
  scope: E["caller"] extends "operator" ? undefined : Scope;
  /** For assistant keys, the live site whose domain is in the path. It belongs to the key's project. */
  site: E["caller"] extends "assistant" ? RequestedSite : undefined;
  params: ParamsOf<E>;
  query: QueryFor<E>;
  body: E["body"] extends { type: "application/gzip" | "application/x-ndjson" } ? Readable : BodyOf<E>;
  header(name: string): string | undefined;
  origin: Origin;
}

/** A handler's result with additional response headers. */
export class Reply<T> {
  readonly result: T;
  readonly headers: Record<string, string>;
  constructor(result: T, headers: Record<string, string>) {
    this.result = result;
    this.headers = headers;
  }
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ResultOf<E> | Reply<ResultOf<E>>>;

/** A handler for each endpoint of a contract. */
export type Handlers<Contract> = {
  [Name in keyof Contract]: Contract[Name] extends Endpoint ? Handler<Contract[Name]> : never;
};
