/**
 * Limits connections and slow request bodies per visitor, so that one visitor can't exhaust the server.
 * Connections from trusted proxies aren't limited per visitor, because they carry requests from many
 * visitors.
 */

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { visitorOf } from "../base/visitor-network.ts";

export interface GuardOptions {
  /** Returns the IP address of the visitor, even behind trusted proxies. */
  addressOf(request: IncomingMessage): string;
  /** Whether a peer is a trusted proxy. */
  isTrusted(address: string): boolean;
  /**
   * Maximum number of connections of the process. `connectionsOfVisitor_count` is the maximum for one
   * visitor.
   */
  connections_count: number;
  connectionsOfVisitor_count: number;
  /** Timeout for a request body, unless `expectLongBody` extends it. */
  body_ms: number;
  /**
   * Time after which an incomplete body counts as slow. `slowBodies_count` is the maximum number of slow
   * bodies per visitor.
   */
  slowBody_ms: number;
  slowBodies_count: number;
}

const deadlines = new WeakMap<IncomingMessage, { extend(ms: number): void }>();

/**
 * Sets the timeout for the rest of a request body. For authorized requests. Has no effect after the body has
 * been received.
 */
export function expectLongBody(request: IncomingMessage, ms: number): void {
  if (!request.complete) deadlines.get(request)?.extend(ms);
}

/** Adds listeners to the server that enforce the limits by closing connections. */
export function guardServer(server: Server, options: GuardOptions): void {
  guardConnections(server, options);
  guardBodies(server, options);
}

/**
 * Limits the number of connections. At the maximum for a visitor, a new connection replaces the visitor's
 * longest idle one. At the maximum for the process, it replaces an idle connection of one of the two visitors
 * with the most connections. If none of these connections is idle, the new connection is refused. All trusted
 * proxies together count as the visitor with the fewest connections.
 */
function guardConnections(
  server: Server,
  { isTrusted, connections_count, connectionsOfVisitor_count }: GuardOptions,
): void {
  /** Sockets by visitor. Of the idle ones, the one that has been idle the longest is first. */
  const visitors = new Map<string, Set<Socket>>();
  const visitorOfSocket = new Map<Socket, string>();

  /** Number of open requests by socket. */
  const busy = new Map<Socket, number>();

  const add = (socket: Socket, visitor: string) => {
    visitors.set(visitor, (visitors.get(visitor) ?? new Set()).add(socket));
    visitorOfSocket.set(socket, visitor);
  };

  const remove = (socket: Socket) => {
    const visitor = visitorOfSocket.get(socket);
    const sockets = visitor === undefined ? undefined : visitors.get(visitor);
    visitorOfSocket.delete(socket);
    sockets?.delete(socket);
    if (sockets?.size === 0) visitors.delete(visitor!);
  };

  const closeIdle = (sockets: ReadonlySet<Socket>): boolean => {
    const idle = [...sockets].find((socket) => !busy.has(socket));
    if (!idle) return false;
    remove(idle);
    idle.destroy();
    return true;
  };

  server.on("connection", (socket: Socket) => {
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    const visitor = isTrusted(address) ? proxies : visitorOf(address);
    const own = visitors.get(visitor);
    const isFull = visitor !== proxies && (own?.size ?? 0) >= connectionsOfVisitor_count;
    if (isFull && !closeIdle(own!)) return void socket.destroy();
    if (visitorOfSocket.size >= connections_count) {
      const bySize = [...visitors].sort(
        ([a, one], [b, other]) => Number(a === proxies) - Number(b === proxies) || other.size - one.size,
      );
      if (!bySize.slice(0, 2).some(([, sockets]) => closeIdle(sockets))) return void socket.destroy();
    }
    add(socket, visitor);
    socket.once("close", () => remove(socket));
  });

  server.on("request", ({ socket }, response) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    // Not `once`, whose wrapper can be a long-lived object for V8 and then keeps the response for a while.
    response.on("close", () => {
      const left = busy.get(socket)! - 1;
      if (left) busy.set(socket, left);
      else busy.delete(socket);
      const visitor = visitorOfSocket.get(socket);
      if (visitor === undefined) return;
      remove(socket);
      add(socket, visitor);
    });
  });
}

/** Key of all trusted proxies in the map of visitors. */
const proxies = "proxies";

function guardBodies(
  server: Server,
  { addressOf, body_ms, slowBody_ms, slowBodies_count }: GuardOptions,
): void {
  const slow = new Map<string, number>();

  // Must run before the request handler, which may call `expectLongBody`.
  server.prependListener("request", (request) => {
    const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
    if (length === "0" && coding === undefined) return;
    const visitor = visitorOf(addressOf(request));
    let isSlow = false;
    let isLong = false;
    const end = () => {
      if (!request.complete) request.socket.destroy();
    };

    const check = setTimeout(() => {
      if (request.complete || isLong) return;
      const count = (slow.get(visitor) ?? 0) + 1;
      if (count > slowBodies_count) return end();
      isSlow = true;
      slow.set(visitor, count);
    }, slowBody_ms);

    let deadline = setTimeout(end, body_ms);
    const settle = () => {
      clearTimeout(check);
      clearTimeout(deadline);
      if (!isSlow) return;
      isSlow = false;
      const left = slow.get(visitor)! - 1;
      if (left) slow.set(visitor, left);
      else slow.delete(visitor);
    };

    deadlines.set(request, {
      extend(ms) {
        isLong = true;
        settle();
        deadline = setTimeout(end, ms);
      },
    });

    request.once("end", settle);
    request.once("close", settle);
  });
}
