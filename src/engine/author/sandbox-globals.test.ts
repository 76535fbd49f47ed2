/** Tests that the sandbox's implementations of platform globals return the same values as Node.js. */

import { expect, test } from "vitest";
import type { ContentElement } from "../content.ts";
import { open, place } from "./document-code.fixture.ts";

const urls = [
  "https://user:pa%20ss@Example.COM:443/a/./b/../c d?x=1&y=a b'#f r",
  "http://example.com:8080/%7Efoo/%2e%2e/bar?q",
  "HTTPS:\\\\example.com\\a",
  "mailto:a@b.c?subject=x y",
  "file:///etc/hosts",
  "custom://host:80/path?q#h",
  "https://exämple".replace("ä", "a"),
  "https://[::1]:3000/",
  "http://a.b/😀?é=日本",
  "data:text/plain,hi there#x",
];
const relative = ["", "x/y", "/root", "../up", "?q=2", "#h", "//other.com/p", "./", "..", "https:c", "a:b"];
const parts =
  "[u.href,u.origin,u.protocol,u.username,u.password,u.host,u.hostname,u.port,u.pathname,u.search,u.hash]";

const expressions = [
  ...urls.map((url) => `(() => { const u = new URL(${JSON.stringify(url)}); return ${parts}; })()`),
  ...relative.map(
    (url) =>
      `(() => { const u = new URL(${JSON.stringify(url)}, "https://u:p@docs.example.com:8080/a/b/c?q=1#f"); return ${parts}; })()`,
  ),
  ...["", "no scheme", "http://", "http://a b/", "https://x:99999/"].map(
    (url) => `URL.canParse(${JSON.stringify(url)})`,
  ),
  `(() => { const u = new URL("https://a.b/c?x=1"); u.searchParams.append("y", "é &"); u.hash = "h h"; u.pathname = "/p?q"; u.host = "z.y:81"; return u.href; })()`,
  `(() => { const u = new URL("https://a.b/c?x=1"); u.search = "?k=v w"; u.port = "443"; u.protocol = "http"; return [u.href, u.searchParams.get("k")]; })()`,
  `(() => { const p = new URLSearchParams("?a=1&b=2&a=3+4&c=%E2%82%AC&d&=x&%zz=%"); return [String(p), p.get("a"), p.getAll("a"), p.get("q"), p.has("d"), p.size, [...p], [...p.keys()]]; })()`,
  `(() => { const p = new URLSearchParams({ z: "1", a: "~!*()'" }); p.append("a", 2); p.set("z", "x y"); p.delete("a", "2"); p.sort(); const seen = []; p.forEach((v, k) => seen.push(k + v)); return [String(p), seen]; })()`,
  `String(new URLSearchParams([["a", "b"], ["c", "d"]]))`,
  `["", "a", "ab", "abc", "\\u00ff\\u0000x"].map((t) => [btoa(t), atob(btoa(t))])`,
  `[atob(" YQ = = "), atob("YWI")]`,
  `[...new TextEncoder().encode("aé€😀\\ud800")]`,
  `new TextDecoder().decode(new Uint8Array([0xef,0xbb,0xbf,0x61,0xc3,0xa9,0xf0,0x9f,0x98,0x80,0xff,0xe2,0x82,0x61,0xed,0xa0,0x80]))`,
  `(() => { try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])); } catch (error) { return error.name; } })()`,
  `(() => { try { btoa("€"); } catch (error) { return error.name; } })()`,
  `(() => { try { atob("a"); } catch (error) { return error.name; } })()`,
  `(() => { const a = { d: new Date(5), m: new Map([[1, { x: [1] }]]), s: new Set([2]), n: null }; a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, c.d.getTime(), c.m.get(1).x !== a.m.get(1).x, [...c.s], c.n]; })()`,
  `(() => { try { structuredClone(() => 1); } catch (error) { return error.name; } })()`,
  `(() => { const c = new AbortController(); let n = 0; c.signal.addEventListener("abort", () => n++); const any = AbortSignal.any([c.signal]); c.abort("why"); c.abort(); let thrown; try { any.throwIfAborted(); } catch (e) { thrown = e; } return [n, c.signal.aborted, c.signal.reason, any.aborted, thrown, AbortSignal.abort().reason.name]; })()`,
];

test.each(expressions)("%s", (expression) => {
  const { code, problems } = open(
    `export const A = () => { const make = () => ${expression}; return <p>{JSON.stringify(make())}</p>; };`,
  );
  const [paragraph] = code.component("A", {}, [], place);
  expect(problems).toEqual([]);
  // biome-ignore lint/security/noGlobalEval: evaluates the constant expressions above
  const expected = JSON.stringify(globalThis.eval(expression)) ?? "";
  expect((paragraph as ContentElement).children.join("")).toBe(expected);
});

test("a component that uses these globals is static content", () => {
  const { code } = open("export const A = () => <p>{btoa('a')}</p>;");
  expect(code.component("A", {}, [], place)).toMatchObject([{ name: "p", children: ["YQ=="] }]);
});
