import { send } from "./service.ts";

/** `fetch` that sends requests for any host name to this machine, and doesn't follow redirects. */
export const toThisMachine: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  const headers = Object.fromEntries(new Headers(init?.headers).entries());
  const body = init?.body == null ? undefined : String(init.body);
  const answer = await send({
    port: Number(url.port),
    path: url.pathname + url.search,
    method: init?.method ?? "GET",
    host: url.host,
    headers,
    ...(body ? { body } : {}),
  });
  const empty = [202, 204, 304].includes(answer.status);
  return new Response(empty ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: answer.headers as Record<string, string>,
  });
};
