import type { NavItem, PageView } from "../../src/engine/frame/page-view.ts";
import { messagesOf } from "../../src/engine/i18n/locales.ts";
import type { TocEntry } from "../../src/engine/page/table-of-contents.ts";

const page = (label: string, href: string, more: object = {}): NavItem => ({
  kind: "page",
  label,
  href,
  ...more,
});

const tree: NavItem[] = [
  {
    kind: "group",
    label: "Get started",
    open: true,
    items: [
      page("Introduction", "index.html", { icon: "o-i-book" }),
      page("Quickstart", "guide.html", { icon: "o-i-bolt" }),
      page("Install the command line on every kind of machine", "center.html", { tag: "New" }),
    ],
  },
  {
    kind: "group",
    label: "Guides",
    open: true,
    items: [
      page("Authenticate", "guide.html", { current: true }),
      page("Handle errors", "index.html"),
      {
        kind: "group",
        label: "Webhooks",
        open: true,
        items: [
          page("Receive events", "index.html"),
          page("Verify signatures", "index.html"),
          {
            kind: "group",
            label: "Retries",
            open: true,
            items: [page("Backoff", "index.html"), page("Dead letters", "index.html", { deprecated: true })],
          },
        ],
      },
      {
        kind: "group",
        label: "Pagination",
        open: false,
        href: "index.html",
        items: [page("Cursors", "index.html")],
      },
      page("Status page", "https://example.com", { external: true }),
    ],
  },
  {
    kind: "group",
    label: "Payments",
    open: true,
    items: [
      page("List payments", "api.html", { method: "GET" }),
      page("Create a payment", "api.html", { method: "POST" }),
      page("Replace a payment", "api.html", { method: "PUT" }),
      page("Change a payment", "api.html", { method: "PATCH" }),
      page("Delete a payment and everything that belongs to it", "api.html", {
        method: "DELETE",
        deprecated: true,
      }),
      page("Payment settled", "api.html", { method: "WEBHOOK" }),
    ],
  },
];

const words = messagesOf("en").site;

const base: PageView = {
  language: "en",
  direction: "ltr",
  messages: words,
  theme: "mint",
  mode: "default",
  path: "guide",
  root: "",
  isBelowPath: false,
  linkSuffix: ".html",
  homeHref: "index.html",
  site: { name: "Meridian", logoHref: "index.html" },
  headHtml: "<title>Gallery</title>",
  styles: ["_octavo/octavo.css", "_octavo/site-mint.css"],
  scripts: ["_octavo/page.js"],
  appearance: { default: "system", strict: false },
  navbar: {
    links: [
      { label: "Changelog", href: "wide.html" },
      { label: "Support", href: "https://example.com", external: true },
    ],
    primary: { label: "Dashboard", href: "https://example.com", type: "button" },
  },
  nav: {
    selectors: [
      {
        kind: "version",
        current: { label: "v2.4", href: "#", tag: "Latest" },
        options: [
          { label: "v2.4", href: "#", tag: "Latest", current: true },
          { label: "v1.9", href: "#", description: "Supported until March" },
        ],
      },
      {
        kind: "language",
        current: { label: "English", href: "#" },
        options: [
          { label: "English", href: "#", current: true },
          { label: "Deutsch", href: "#" },
        ],
      },
    ],
    tabs: [
      { label: "Documentation", href: "index.html", current: true },
      { label: "API reference", href: "api.html" },
      {
        label: "Libraries",
        href: "#",
        menu: [
          { label: "Node", href: "#", description: "For servers and tools" },
          { label: "Python", href: "#" },
        ],
      },
      { label: "Changelog", href: "wide.html", tag: "New" },
      { label: "Community", href: "https://example.com", external: true },
    ],
    anchors: [
      { label: "Community", href: "https://example.com", icon: "o-i-people", external: true },
      { label: "Blog", href: "index.html", icon: "o-i-book" },
    ],
    tree,
  },
  title: "Authenticate your requests",
  descriptionHtml:
    "Every request carries a key. This guide shows how to make one, how to send it, and how to change it without an outage.",
  eyebrow: [{ label: "Guides" }],
  deprecated: false,
  bodyHtml: "",
  toc: [],
  updateTags: [],
  views: [],
  contextual: {
    placement: "header",
    options: [
      { id: "copy", title: "Copy page", description: "Copy this page as Markdown" },
      {
        id: "view",
        title: "View as Markdown",
        description: "Open this page as plain text",
        href: "guide.md",
      },
      {
        id: "chatgpt",
        title: "Open in an assistant",
        description: "Ask questions about this page",
        href: "https://example.com",
        external: true,
      },
    ],
  },
  related: [],
  previous: { label: "Quickstart", href: "index.html" },
  next: { label: "Handle errors", href: "index.html" },
  updatedAt: "2026-05-04",
  footer: {
    socials: [
      {
        name: "GitHub",
        href: "https://example.com",
        iconSvg: '<svg viewBox="0 0 24 24" fill="currentColor"><circle cx="12" cy="12" r="10"/></svg>',
      },
    ],
    columns: [
      {
        header: "Product",
        items: [
          { label: "Pricing", href: "#" },
          { label: "Status", href: "https://example.com", external: true },
        ],
      },
      {
        header: "Company",
        items: [
          { label: "About", href: "#" },
          { label: "Careers", href: "#" },
        ],
      },
    ],
  },
  markdownHref: "guide.md",
};

const heading = (level: number, id: string, text: string) =>
  `<h${level} id="${id}">${text}<a class="o-anchor" href="#${id}" aria-label="Link to this section"></a></h${level}>`;
const prose = (count: number) =>
  '<p>A key belongs to one project and carries the rights you gave it. Send it in the <code>Authorization</code> header, and keep it out of browsers, repositories and logs. See <a href="#rotate">how to rotate a key</a> or the <a href="https://example.com" target="_blank" rel="noopener noreferrer">security page</a> for the reasons.</p>'.repeat(
    count,
  );

const guideBody = [
  prose(1),
  heading(2, "keys", "Make a key"),
  prose(1),
  "<ol><li>Open the <strong>dashboard</strong> and choose a project.</li><li>Press <kbd>Ctrl</kbd> <kbd>K</kbd> and search for <em>keys</em>.<ul><li>Admin keys change things.</li><li>Assistant keys only read.</li></ul></li><li>Copy the key: it is shown once.</li></ol>",
  heading(3, "scopes", "Scopes"),
  '<div class="o-table" tabindex="0" role="group" aria-label="Scrollable content"><table><thead><tr><th>Scope</th><th>Allows</th><th align="right">Requests per hour</th><th>Since</th></tr></thead><tbody><tr><td><code>payments:read</code></td><td>Read payments and refunds of the project</td><td align="right">12,000</td><td>2023-11</td></tr><tr><td><code>payments:write</code></td><td>Create, change and refund</td><td align="right">1,500</td><td>2024-02</td></tr><tr><td><code>webhooks:manage</code></td><td>Add endpoints and turn signing secrets</td><td align="right">300</td><td>2025-08</td></tr></tbody></table></div>',
  heading(3, "tasks", "Before you ship"),
  '<ul><li class="o-task"><span class="o-task-box" role="img" aria-label="☑" data-checked></span>Keys live in a secret store</li><li class="o-task"><span class="o-task-box" role="img" aria-label="☐"></span>Old keys are revoked</li></ul>',
  heading(2, "send", "Send the key"),
  '<div class="o-code code-block"><div class="o-code-head"><span>Terminal</span></div><pre tabindex="0"><code>curl https://api.example.com/v1/payments \\\n  -H "Authorization: Bearer oct_4f9a…" \\\n  -H "Idempotency-Key: 8e0c1d7a-6d55-4e1c-9a0e-3f2d1b7c5a90-with-a-long-tail"</code></pre></div>',
  "<blockquote><p>A key in a URL ends up in logs. Do not put it there.</p></blockquote>",
  prose(2),
  heading(3, "limits", "Limits"),
  '<p>Text with <sup>sup</sup>, <sub>sub</sub>, <mark>marked words</mark>, <del>deleted</del> and a footnote<sup><a href="#fn1">1</a></sup>.</p>',
  "<details><summary>What happens past the limit?</summary><p>The answer is 429 with <code>Retry-After</code>.</p></details>",
  heading(2, "rotate", "Rotate a key without an outage and without telling anybody about it"),
  prose(2),
  "<img data-zoom alt=\"A drawing of two keys\" width=\"720\" height=\"240\" src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='720' height='240'%3E%3Crect width='720' height='240' fill='%2399b'/%3E%3C/svg%3E\">",
  "<hr>",
  heading(2, "errors", "Errors"),
  prose(4),
  '<section class="footnotes"><ol><li id="fn1">A note at the foot of the page.</li></ol></section>',
].join("");

const toc: TocEntry[] = [
  { id: "keys", text: "Make a key", level: 2 },
  { id: "scopes", text: "Scopes", level: 3 },
  { id: "tasks", text: "Before you ship", level: 3 },
  { id: "send", text: "Send the key", level: 2 },
  { id: "limits", text: "Limits", level: 3 },
  { id: "rotate", text: "Rotate a key without an outage and without telling anybody about it", level: 2 },
  { id: "errors", text: "Errors", level: 2 },
];

const sample =
  '<div class="o-code code-block"><div class="o-code-head"><span>Request</span></div><pre tabindex="0"><code>curl -X POST https://api.example.com/v1/payments \\\n  -d amount=1200</code></pre></div><div class="o-code code-block" style="margin-top:1rem"><div class="o-code-head"><span>Response</span></div><pre tabindex="0"><code>{\n  "id": "pay_1",\n  "amount": 1200,\n  "status": "settled"\n}</code></pre></div>';

/** The compact tree of the shared navigation file. */
export const restTree = [
  {
    g: "Get started",
    c: [
      ["Introduction", "index", "o-i-book"],
      ["Quickstart", "guide"],
    ],
  },
  {
    g: "Guides",
    c: [
      ["Authenticate", "branch"],
      ["Handle errors", "index"],
      { g: "Webhooks", c: [["Receive events", "index"], { g: "Deep", c: [["Deeper", "wide"]] }] },
    ],
  },
  {
    g: "Reference",
    t: "Beta",
    c: [
      ["List payments", "api", "", "", "GET"],
      ["Remove", "api", "", "", "DELETE", "d"],
      ["Notes", "api"],
    ],
  },
  { g: "Elsewhere", p: "center", c: [["Status", "https://example.com", "", "", "", "x"]] },
];

const branch: NavItem[] = [
  { kind: "group", label: "Get started", open: false, href: "index.html" },
  {
    kind: "group",
    label: "Guides",
    open: true,
    items: [
      page("Authenticate", "branch.html", { current: true }),
      page("Handle errors", "index.html"),
      { kind: "group", label: "Webhooks", open: false },
    ],
  },
  { kind: "group", label: "Reference", open: false, tag: "Beta" },
  { kind: "group", label: "Elsewhere", open: false },
];

/** The pages of the gallery. */
export function galleryPages(): PageView[] {
  const plain = { ...base.nav, tabs: [], anchors: [], selectors: [] };
  return [
    {
      ...base,
      path: "index",
      title: "Meridian documentation",
      descriptionHtml: "Take payments anywhere, with one integration.",
      eyebrow: [],
      bodyHtml: prose(2),
      directory: {
        style: "card",
        groups: [
          {
            links: [
              {
                label: "Quickstart",
                href: "guide.html",
                icon: "o-i-bolt",
                description: "The first payment in five minutes",
              },
              {
                label: "Authenticate",
                href: "guide.html",
                icon: "o-i-people",
                description: "Keys, scopes and rotation",
              },
              { label: "Support", href: "https://example.com", external: true },
            ],
          },
        ],
      },
      banner: {
        html: 'Version 2.4 is here. <a href="wide.html">Read what is new</a>',
        type: "info",
        dismissible: true,
        id: "b1",
      },
    },
    {
      ...base,
      bodyHtml: guideBody,
      toc,
      related: [
        { label: "Handle errors", href: "index.html" },
        { label: "Limits", href: "index.html", description: "How many requests you may send" },
      ],
    },
    {
      ...base,
      path: "crumbs",
      eyebrow: [{ label: "Guides", href: "#" }, { label: "Security", href: "#" }, { label: "Keys" }],
      bodyHtml: guideBody,
      toc,
      deprecated: true,
      tag: "Beta",
      version: "v2",
      contextual: { ...base.contextual, placement: "toc" },
      nav: { ...base.nav, anchors: [] },
    },
    {
      ...base,
      path: "branch",
      nav: {
        ...plain,
        tree: branch,
        rest: { script: "_octavo/nav.js", contentsHref: "index.html", path: "branch" },
      },
      bodyHtml: prose(3),
      toc: toc.slice(0, 2),
    },
    {
      ...base,
      path: "api",
      title: "Create a payment",
      eyebrow: [{ label: "Payments" }],
      bodyHtml: guideBody,
      asideHtml: sample,
    },
    {
      ...base,
      path: "wide",
      mode: "wide",
      title: "Changelog",
      bodyHtml: `<section class="o-update update" data-tags="API"><h2>May</h2>${prose(1)}</section><section class="o-update update" data-tags="Dashboard"><h2>April</h2>${prose(1)}</section>`,
      updateTags: ["API", "Dashboard"],
      rssHref: "rss.xml",
    },
    {
      ...base,
      path: "custom",
      mode: "custom",
      title: "Landing",
      bodyHtml: `<div style="padding:6rem 2rem;text-align:center"><h1>Build with Meridian</h1>${prose(1)}</div>`,
    },
    { ...base, path: "frame", mode: "frame", title: "Frame", bodyHtml: prose(3) },
    { ...base, path: "center", mode: "center", title: "A centred page", bodyHtml: prose(3) },
    {
      ...base,
      path: "views",
      title: "Two views",
      views: [{ title: "Node" }, { title: "Python" }],
      bodyHtml: `<div class="o-view" data-view="Node"><p class="o-view-title">Node</p>${prose(1)}</div><div class="o-view" data-view="Python"><p class="o-view-title">Python</p>${prose(2)}</div>`,
    },
    {
      ...base,
      path: "warning",
      bodyHtml: prose(3),
      banner: { html: "Maintenance tonight from 22:00 UTC.", type: "warning", dismissible: false, id: "b2" },
      styles: ["_octavo/octavo.css", "_octavo/site-decorated.css"],
      nav: plain,
    },
    {
      ...base,
      path: "rtl",
      language: "ar",
      direction: "rtl",
      messages: messagesOf("ar").site,
      title: "مصادقة الطلبات",
      descriptionHtml: "كل طلب يحمل مفتاحًا.",
      bodyHtml: guideBody,
      toc,
    },
  ];
}

/** The 404 page. */
export function notFoundView(): PageView {
  return { ...base, path: "404", title: "", bodyHtml: "" };
}
