/** Sends JSON to an endpoint of the site. */
export function postJson(url: string, body: object, options?: RequestInit): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...options,
  });
}
