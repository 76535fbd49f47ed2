/**
 * Creates HTTP servers that limit connections and slow request bodies per visitor, and stops them gracefully.
 */

import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { limits } from "../base/limits.ts";
import { networkTest } from "../base/networks.ts";
import { guardServer } from "../io/guard-server.ts";
import { addressReader } from "../service/http/client-address.ts";

/** How long a stopping server waits for the first bytes of a new connection. */
const firstBytes_ms = 1_000;

/** Open connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Creates a server, which the caller starts. `trustedProxies`: valid IP addresses and CIDR ranges. */
export function createHttpServer(
  trustedProxies: string[],
  options: ServerOptions,
  listener: RequestListener,
): Server {
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

  guardServer(server, {
    ...limits,
    addressOf: addressReader(trustedProxies),
    isTrusted: networkTest(trustedProxies),
  });

  const sockets = new Set<Socket>();
  connections.set(server, sockets);

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  return server;
}

/**
 * Stops a server from `createHttpServer`: waits up to `limits.stop_ms` for open requests, and then closes
 * their connections. Connections that have received nothing, which browsers open in advance, are closed after
 * a second, because Node.js doesn't treat them as idle. `close`: stops accepting connections, closes idle
 * ones, and resolves after the last one has closed.
 */
export async function stopHttpServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  const closeUnused = setTimeout(() => {
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
  }, firstBytes_ms);
  await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, limits.stop_ms).unref())]);
  clearTimeout(closeUnused);
  server.closeAllConnections();
}
