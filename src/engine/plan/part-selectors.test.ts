import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { withPartSelectors } from "./part-selectors.ts";

describe("selectors of parts of the page layout", () => {
  test.each([
    ["#navbar a{a:b}", ":is(#navbar,#o-navbar) a{a:b}"],
    ["#content-container{a:b}", ":is(#content-container,.o-main){a:b}"],
    [
      "main>#content-side-layout:hover .sidebar-title::before{a:b}",
      "main>:is(#content-side-layout,.o-aside):hover :is(.sidebar-title,.o-top>:is(p,a))::before{a:b}",
    ],
    ["#navigation-items,b{a:b}", ":is(#navigation-items,#sidebar-content,#o-sidebar-content),b{a:b}"],
  ])("are replaced: %s", (css, expected) => {
    expect(withPartSelectors(css)).toBe(expected);
  });

  test.each([
    "#content-containers{} .sidebar-title-x{} #my-header{} x.sidebar-titles{} #o-navbar{} .navbar{}",
    `a{content:"#content-container"} /* .sidebar-title */ b{content:'#header'`,
  ])("other text stays as it is: %s", (css) => {
    expect(withPartSelectors(css)).toBe(css);
  });

  test("work in authors' files on all kinds of sites", async () => {
    const files = siteOf({ "index.mdx": "Text", "a.css": ".sidebar-title{color:red}" });
    for (const kind of ["cloud", "client-hosted", "air-gapped"] as const)
      expect((await buildSiteFrom(files, { kind })).read("a.css")).toContain(".o-top>:is(p,a)");
  });
});
