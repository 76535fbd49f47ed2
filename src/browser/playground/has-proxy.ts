/** Results of the checks, by proxy URL. */
const probes = new Map<string, Promise<boolean>>();

/** Whether the proxy is available. Static hosts have no proxy. The check runs once per page. */
export function hasProxy(proxy: string): Promise<boolean> {
  const result = probes.get(proxy) ?? probe(proxy);
  probes.set(proxy, result);
  return result;
}

async function probe(proxy: string): Promise<boolean> {
  if (!/^https?:$/.test(location.protocol)) return false;
  try {
    const response = await fetch(proxy, { credentials: "omit", cache: "no-store" });
    return response.status === 204 && response.headers.get("octavo-proxy") === "1";
  } catch {
    return false;
  }
}
