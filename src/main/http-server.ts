/** Creates an HTTP server that limits connections and slow request bodies per visitor. */

import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { limits } from "../base/limits.ts";
import { networkTest } from "../base/networks.ts";
import { guardServer } from "../io/guard-server.ts";
import { addressReader } from "../service/http/client-address.ts";

/** The caller starts the server. `trustedProxies`: valid IP addresses and CIDR ranges. */
export function createHttpServer(trustedProxies: string[], options: ServerOptions, listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.requestHead_bytes,
      headersTimeout: limits.requestHead_ms,
      keepAliveTimeout: limits.idleConnection_ms,
      ...options,
    },
    listener,
  );
  // Twice the guard's limit, since the guard closes an idle connection only after a new one is accepted.
  server.maxConnections = 2 * limits.connections_count;
  guardServer(server, { ...limits, addressOf: addressReader(trustedProxies), isTrusted: networkTest(trustedProxies) });
  return server;
}
