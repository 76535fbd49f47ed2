/** Sends requests and stores them in the history. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import type { DocumentPart } from "./document-part.ts";
import type { Draft } from "./draft.ts";
import { type Exchange, exchange } from "./exchange.ts";
import { hasProxy } from "./has-proxy.ts";
import { addToHistory, clearHistory, type HistoryEntry, readHistory, storedDraft } from "./history.ts";

interface ExchangeOptions {
  settings: DocumentPart["data"]["settings"];
  /** URL of the site's proxy. Undefined if the site has none. */
  proxy: string | undefined;
  /** Absolute URL of the operation's file. */
  operationHref: string;
}

/** The server and the timeout of a request, and the draft that the history stores. */
export interface Sending {
  /** Base URL of the server. The history shows paths below it. */
  server: string | undefined;
  draft: Draft;
  /** Timeout for the response headers. */
  timeout_s: number;
}

export interface Exchanges {
  /** The latest request with its response. */
  current: Exchange | undefined;
  isBusy: boolean;
  /** Whether requests go through the site's proxy. */
  isProxied: boolean;
  history: HistoryEntry[];
  send(request: HttpRequest, sending: Sending): Promise<void>;
  cancel(): void;
  clearHistory(): void;
}

/** Hook that sends the requests of one operation. The history is stored for this tab. */
export function useExchanges({ settings, proxy, operationHref }: ExchangeOptions): Exchanges {
  const historyKey = `octavo-history ${operationHref}`;
  const [current, setCurrent] = useState<Exchange>();
  const [history, setHistory] = useState(() => readHistory(historyKey));
  const [isProxied, setProxied] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => {
    if (settings.proxy && proxy) void hasProxy(proxy).then(setProxied);
  }, []);

  const send = async (request: HttpRequest, { server, draft, timeout_s }: Sending) => {
    const at = Date.now();
    controller.current = new AbortController();

    const route = {
      proxy: settings.proxy && proxy && (await hasProxy(proxy)) ? proxy : undefined,
      operation: new URL(operationHref).pathname,
      credentials: settings.credentials,
    };

    showResponse();
    const end = await exchange(request, route, timeout_s, controller.current, setCurrent);
    if (end.response) setProxied(end.proxied);

    showResponse();
    const path = historyPath(request.url, server);
    setHistory(
      addToHistory(historyKey, {
        at,
        method: request.method,
        path,
        status: end.response?.status,
        ms: end.ms,
        draft: storedDraft(draft),
      }),
    );
  };

  return {
    current,
    isBusy: current?.state === "waiting" || current?.state === "receiving",
    isProxied,
    history,
    send,
    cancel: () => controller.current?.abort(),
    clearHistory: () => setHistory(clearHistory(historyKey)),
  };
}

/**
 * Scrolls to the response. A response below the form moves to the top of the window, and one next to the form
 * only into view.
 */
function showResponse(): void {
  const block = matchMedia("(min-width: 62.5rem)").matches ? "nearest" : "start";
  requestAnimationFrame(() => document.querySelector(".o-pg-response")?.scrollIntoView({ block }));
}

/**
 * Returns the path below the server's URL, without the query, which may contain a key. Returns the URL
 * without the query if it isn't below the server's URL.
 */
function historyPath(url: string, server: string | undefined): string {
  const path = url.split(/[?#]/)[0]!;
  return server && path.startsWith(server) ? path.slice(server.length) || "/" : path;
}
