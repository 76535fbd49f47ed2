import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

const island = `import { useState } from "react";
export const Counter = ({ children }) => { const [n, setN] = useState(0);
  return <div onClick={() => setN(n + 1)}>{n} <Icon icon="star" /><Note>inside</Note>{children}</div>; };
`;

test("built-in components that an interactive component renders itself are reported, but not its content", async () => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": `${island}\n<Counter><Card title="T">Text</Card></Counter>` }),
  );
  expect(site.problems.map(({ code, message }) => [code, message])).toEqual([
    ["plain-component", "An interactive component renders <Note>, which is shown without its style"],
  ]);
});

test("a component that becomes plain HTML can render all built-in components", async () => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": "export const A = () => <Note>Text</Note>;\n\n<A />" }),
  );
  expect(site.problems).toEqual([]);
});
