import { describe, expect, it } from "vitest";
import { messagesOf } from "../i18n/locales.ts";
import type { NavItem, PageView } from "./page-view.ts";
import { layoutTemplate, renderNotFound, renderPage, renderRedirect } from "./render-page.tsx";

const words = messagesOf("en").site;

const view: PageView = {
  language: "en",
  direction: "ltr",
  messages: words,
  theme: "mint",
  mode: "default",
  path: "guides/start",
  root: "../",
  isBelowPath: false,
  linkSuffix: ".html",
  homeHref: "../index.html",
  site: { name: "Docs & more", logoHref: "../index.html" },
  headHtml: "<title>Start</title>",
  styles: ["../_octavo/octavo.css"],
  scripts: ["../_octavo/page.js"],
  appearance: { default: "dark", strict: true },
  navbar: { links: [] },
  nav: { selectors: [], tabs: [], anchors: [], tree: [] },
  title: "Start <here>",
  eyebrow: [],
  deprecated: false,
  bodyHtml: "<p>Body</p>",
  toc: [{ id: "what’s-new", text: "What’s new", level: 2 }],
  updateTags: [],
  views: [],
  contextual: { options: [], placement: "header" },
  related: [],
  footer: { socials: [], columns: [] },
};

const pageItem = (label: string, href: string, more: object = {}): NavItem => ({
  kind: "page",
  label,
  href,
  ...more,
});

describe("renderPage", () => {
  it("doesn't use the assistant as the button of the page's menu if an operator can turn it off", () => {
    const options = [
      { id: "assistant", title: "Ask", feature: "assistant" },
      { id: "copy", title: "Copy", copies: "" },
    ] as PageView["contextual"]["options"];
    const buttonOf = (more: Partial<PageView>) =>
      /o-page-menu"[^>]*><button[^>]*>[\s\S]*?<\/button>/.exec(
        renderPage({ ...view, contextual: { options, placement: "header" }, ...more }),
      )![0];

    expect(buttonOf({})).toContain("Ask");
    expect(buttonOf({ operator: { file: "octavo.config.js", kind: "client-hosted" } })).toContain("Copy");
  });

  it("writes a whole document with the stable ids", () => {
    const html = renderPage({
      ...view,
      next: { label: "Next one", href: "next.html" },
      banner: { html: "Hi", type: "info", dismissible: true, id: "b" },
    });
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr"/);
    expect(html).toContain("<title>Start</title>");
    expect(html).toContain("Start &lt;here>");
    for (const id of [
      "navbar",
      "sidebar",
      "content-area",
      "table-of-contents",
      "page-title",
      "pagination",
      "banner",
    ])
      expect(html).toContain(`id="${id}"`);
  });

  it("writes the input of the page's script to attributes of the root element", () => {
    expect(renderPage(view)).toContain(
      'data-mode="dark" data-strict data-page="default" data-root="../" data-link-suffix=".html"',
    );
  });

  it("encodes the ids of headings in links", () => {
    expect(renderPage(view)).toContain('href="#what%E2%80%99s-new"');
  });

  it("has one level-1 heading in every mode, also if the author writes it", () => {
    const headings = (page: Partial<PageView>) => renderPage({ ...view, ...page }).match(/<h1[\s>]/g)?.length;
    for (const mode of ["default", "wide", "center", "frame", "custom"] as const)
      expect(headings({ mode }), mode).toBe(1);
    expect(headings({ mode: "custom", bodyHtml: '<h1 id="own">Own</h1>' })).toBe(1);
  });

  it("names the site once per color mode if its logo is on a host that may not be reachable", () => {
    const logo = {
      light: { src: "https://cdn.example/light.svg" },
      dark: { src: "https://cdn.example/dark.svg" },
    };
    const html = renderPage({ ...view, site: { ...view.site, logo }, outside: "restorable" });
    expect(html).toContain('<span class="o-outside o-only-light">Docs &amp; more');
    expect(html).toContain('<span class="o-outside o-only-dark">Docs &amp; more');
  });

  it("opens external links in a new tab and adds a note for screen readers", () => {
    const html = renderPage({
      ...view,
      navbar: { links: [{ label: "Blog", href: "https://example.com", external: true }] },
    });
    expect(html).toContain(
      'href="https://example.com" target="_blank" rel="noopener noreferrer">Blog<span class="o-sr"> (opens in a new tab)</span>',
    );
  });

  it("never writes a URL that runs code", () => {
    const evil = "java\nscript:alert(1)";
    const html = renderPage({
      ...view,
      navbar: { links: [{ label: "x", href: evil }], primary: { label: "x", href: evil, type: "button" } },
      nav: {
        ...view.nav,
        tree: [pageItem("x", evil), { kind: "group", label: "g", open: false, href: evil }],
      },
      previous: { label: "x", href: evil },
      footer: { socials: [], columns: [{ items: [{ label: "x", href: evil }] }] },
    });
    expect(html).not.toContain("alert(1)");
  });

  it("omits parts without content", () => {
    const html = renderPage({ ...view, toc: [] });
    for (const part of [
      "o-sections",
      "o-theme",
      "o-aside",
      'id="pagination"',
      'id="footer"',
      'id="banner"',
      "o-eyebrow",
    ])
      expect(html).not.toContain(part);
  });

  it.each([
    ["wide", ["page-title"], ["table-of-contents"]],
    ["center", ["page-title"], ["table-of-contents"]],
    ["custom", ["sidebar"], ["page-title", "table-of-contents", "footer"]],
    ["frame", ["sidebar"], ["page-title", "table-of-contents"]],
  ] as const)("shows only the parts of mode %s", (mode, shown, hidden) => {
    const html = renderPage({
      ...view,
      mode,
      footer: { socials: [], columns: [{ items: [{ label: "a", href: "b" }] }] },
    });
    for (const id of shown) expect(html).toContain(`id="${id}"`);
    for (const id of hidden) expect(html).not.toContain(`id="${id}"`);
  });

  it("renders a group without items as a link", () => {
    const rest = { script: "../nav.js", contentsHref: "../contents.html", path: "guides/start" };
    const html = renderPage({
      ...view,
      nav: { ...view.nav, tree: [{ kind: "group", label: "Far", open: false }], rest },
    });
    expect(html).toContain('<a class="o-more" href="../contents.html"><span>Far</span></a>');
    expect(html).toContain(
      '<script defer src="../_octavo/page.js"></script><script defer src="../nav.js"></script>',
    );
  });

  it("stays small with sixty entries", () => {
    const items = Array.from({ length: 60 }, (_, index) =>
      pageItem(`A page with a label ${index}`, `../section/page-number-${index}.html`),
    );
    const html = renderPage({
      ...view,
      nav: { ...view.nav, tree: [{ kind: "group", label: "All", open: true, items }] },
    });
    expect(html.length).toBeLessThan(9_000);
  });
});

describe("layoutTemplate", () => {
  const parts = { title: "A &amp; B", head: "<title>C</title>", body: "<p>$& D</p>" };

  it("returns the same document as renderPage", () => {
    const { head: headHtml, body: bodyHtml } = parts;
    expect(layoutTemplate(view).fill(parts).join("")).toBe(
      renderPage({ ...view, title: "A & B", headHtml, bodyHtml }),
    );
  });

  it("doesn't insert the parts where authors wrote the marks", () => {
    const name = "<\0title> <\0head> <\0body> \0head \0body";
    const html = layoutTemplate({ ...view, site: { ...view.site, name } })
      .fill(parts)
      .join("");
    expect(html.split(parts.head)).toHaveLength(2);
    expect(html.split(parts.body)).toHaveLength(2);
  });
});

describe("renderNotFound", () => {
  it("uses the default text if the author has none", () => {
    const html = renderNotFound({ ...view, title: "", bodyHtml: "" });
    expect(html).toContain("Page not found");
    expect(html).toContain('<section id="near" class="o-js" hidden>');
  });

  it("uses the author's text", () => {
    const html = renderNotFound({ ...view, title: "Lost", bodyHtml: "<p>Oh</p>" });
    expect(html).toContain("Lost");
    expect(html).not.toContain(words.notFoundText);
  });
});

describe("renderRedirect", () => {
  it("redirects with a meta tag, a canonical link and a visible link", () => {
    const html = renderRedirect('../new.html?a=1&b="2"', words, "en");
    expect(html).toContain('<link rel="canonical" href="../new.html?a=1&amp;b=&quot;2&quot;"');
    expect(html).toContain('content="0; url=../new.html?a=1&amp;b=&quot;2&quot;"');
    expect(html).toContain('<a href="../new.html');
  });
});
