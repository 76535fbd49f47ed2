/** Tests the HTML of built-in components, of author components and of HTML elements on a page. */

import { describe, expect, test } from "vitest";
import { briefly, buildPage } from "../../../test/engine/build.ts";
import { testRows } from "../../../test/engine/rows.ts";

const beside = {
  "other.mdx": "---\ntitle: Other\n---\n\nText.",
  "snippets/part.mdx": "From a **snippet**, for {name}.\n",
  "images/a.png": "png",
};
const codes = "```js One\none()\n```\n\n```py Two\ntwo()\n```";

describe("callouts", () => {
  testRows([
    ...["Note", "Info", "Tip", "Warning", "Check", "Danger"].map((name): [string, string, RegExp] => [
      name,
      `<${name}>Mind **this**.</${name}>`,
      new RegExp(
        `class="o-callout callout o-callout-${name.toLowerCase()}" role="note" aria-label="${name}"[\\s\\S]*Mind <strong>this</strong>\\.`,
      ),
    ]),
    [
      "Note title",
      '<Note title="Read me">x</Note>',
      /o-callout-note[\s\S]*<p class="o-callout-title">Read me<\/p>/,
    ],
    ["Tip title", '<Tip title="Read me">x</Tip>', /o-callout-tip[\s\S]*Read me/],
    ["Warning title", '<Warning title="Read me">x</Warning>', /o-callout-warning[\s\S]*Read me/],
    ["Note type", '<Note type="warning">x</Note>', "o-callout-warning"],
    ["Callout", "<Callout>Plain.</Callout>", /o-callout-plain" role="note"[\s\S]*Plain\./],
    ["Callout type", '<Callout type="info">x</Callout>', "o-callout-info"],
    ["Callout title", '<Callout title="Look">x</Callout>', /o-callout-title">Look/],
    ["Callout icon", '<Callout icon="key">x</Callout>', /o-callout-icon"><span class="o-ico"><svg/],
    [
      "Callout iconType",
      '<Callout icon="star" iconType="regular">x</Callout>',
      /o-callout-icon"><span class="o-ico"><svg/,
    ],
    ["Callout color", '<Callout color="#FFC107">x</Callout>', /style="--o-callout:\s?#FFC107"/i],
  ]);
});

describe("cards", () => {
  testRows(
    [
      ["Card", "<Card>Body</Card>", /class="o-card[\s\S]*Body/],
      ["Card title", '<Card title="Go">x</Card>', /o-card-title">Go</],
      ["Card href", '<Card title="Go" href="/other">x</Card>', /<a href="other\.html"[^>]*>Go<\/a>/],
      [
        "Card href elsewhere",
        '<Card title="Go" href="https://example.com">x</Card>',
        /href="https:\/\/example\.com"[^>]*target="_blank"/,
      ],
      ["Card icon", '<Card title="Go" icon="rocket">x</Card>', /o-card-icon"><span class="o-ico"><svg/],
      [
        "Card iconType",
        '<Card title="Go" icon="star" iconType="regular">x</Card>',
        /o-card-icon"><span class="o-ico"><svg/,
      ],
      ["Card horizontal", '<Card title="Go" horizontal>x</Card>', /class="o-card card o-card-row/],
      ["Card color", '<Card title="Go" color="#ff0000">x</Card>', "#ff0000"],
      [
        "Card img",
        '<Card title="Go" img="/images/a.png">x</Card>',
        /<img class="o-card-image" src="images\/a\.png"/,
      ],
      ["Card cta", '<Card title="Go" cta="Click here" href="/other">x</Card>', /o-card-cta[^>]*>Click here/],
      ["Card arrow", '<Card title="Go" arrow="true" href="/other">x</Card>', "o-card-arrow"],
      [
        "Card arrow: external links only, by default",
        '<Card title="A" href="/other">x</Card>',
        { not: "o-card-arrow" },
      ],
      ["Card arrow, external", '<Card title="A" href="https://example.com">x</Card>', "o-card-arrow"],
      [
        "Card arrow={false}",
        '<Card title="A" arrow={false} href="https://example.com">x</Card>',
        { not: "o-card-arrow" },
      ],
      [
        "CardGroup",
        '<CardGroup><Card title="A">a</Card></CardGroup>',
        /o-cols columns" style="--o-cols:\s?2"[\s\S]*o-card/,
      ],
      ["CardGroup cols", '<CardGroup cols={3}><Card title="A">a</Card></CardGroup>', /--o-cols:\s?3/],
      ["Columns", "<Columns><Card title='A'>a</Card></Columns>", /--o-cols:\s?2/],
      ["Columns cols", '<Columns cols="4">x</Columns>', /--o-cols:\s?4/],
      [
        "Column",
        "<Columns><Column>Left</Column><Column>Right</Column></Columns>",
        /o-column[\s\S]*Left[\s\S]*o-column[\s\S]*Right/,
      ],
    ],
    beside,
  );
});

describe("disclosures", () => {
  testRows([
    [
      "Accordion",
      '<Accordion title="Why">Because.</Accordion>',
      /<details class="o-accordion accordion" id="why">[\s\S]*Because\./,
    ],
    ["Accordion title", '<Accordion title="Why">x</Accordion>', /<summary>[\s\S]*Why[\s\S]*<\/summary>/],
    [
      "Accordion icon",
      '<Accordion title="Why" icon="bolt">x</Accordion>',
      /<summary><span class="o-ico"><svg/,
    ],
    [
      "Accordion defaultOpen",
      '<Accordion title="Why" defaultOpen>x</Accordion>',
      /<details class="o-accordion accordion"[^>]* open/,
    ],
    [
      "Accordion defaultOpen={false}",
      '<Accordion title="Why" defaultOpen={false}>x</Accordion>',
      { not: /<details class="o-accordion accordion"[^>]* open/ },
    ],
    [
      "AccordionGroup",
      '<AccordionGroup><Accordion title="A">a</Accordion><Accordion title="B">b</Accordion></AccordionGroup>',
      /o-accordion-group[\s\S]*id="a"[\s\S]*id="b"/,
    ],
    [
      "Expandable",
      "<Expandable>Fields</Expandable>",
      /<details class="o-expandable expandable">[\s\S]*Fields/,
    ],
    ["Expandable title", '<Expandable title="properties">x</Expandable>', /<summary>properties<\/summary>/],
    [
      "Expandable defaultOpen",
      '<Expandable title="p" defaultOpen={true}>x</Expandable>',
      /o-expandable expandable" open/,
    ],
  ]);
});

describe("tabs, steps, views", () => {
  testRows([
    [
      "Tabs",
      '<Tabs><Tab title="A">First</Tab><Tab title="B">Second</Tab></Tabs>',
      /role="tablist"[\s\S]*role="tabpanel"[^>]*>[\s\S]*First[\s\S]*role="tabpanel"[^>]*>[\s\S]*Second/,
    ],
    [
      "Tab title",
      '<Tabs><Tab title="Alpha">a</Tab><Tab title="Beta">b</Tab></Tabs>',
      /<button(?=[^>]* data-on)[^>]*>Alpha<\/button>/,
      /<button(?![^>]* data-on)[^>]*>Beta<\/button>/,
    ],
    [
      "Tab icon",
      '<Tabs><Tab title="A" icon="bolt">a</Tab></Tabs>',
      /role="tab"[^>]*><span class="o-ico"><svg/,
    ],
    [
      "Steps",
      '<Steps><Step title="One">Do.</Step><Step title="Two">Do more.</Step></Steps>',
      /o-steps steps" role="list"[\s\S]*role="listitem"[\s\S]*Do\.[\s\S]*role="listitem"/,
    ],
    ["Step title", '<Steps><Step title="One">Do.</Step></Steps>', /<p class="o-step-title">One/],
    [
      "Step icon",
      '<Steps><Step title="One" icon="bolt">Do.</Step></Steps>',
      /o-step-icon"[^>]*><span class="o-ico"><svg/,
    ],
    [
      "Steps titleSize",
      '<Steps titleSize="h2"><Step title="One">Do.</Step></Steps>',
      /<h2 class="o-step-title">One/,
      /href="#one">One/,
    ],
    [
      "Step titleSize",
      '<Steps titleSize="h2"><Step title="One" titleSize="h3">Do.</Step></Steps>',
      /<h3 class="o-step-title">One/,
    ],
    [
      "View",
      '<View title="Node">a</View><View title="Python">b</View>',
      /data-show-view="Node" aria-pressed="true"/,
      /o-view[^>]*data-view="Python"/,
    ],
    ["View title", '<View title="Node">a</View>', /data-view="Node"[\s\S]*Node/],
    ["View icon", '<View title="Node" icon="node-js">a</View>', /o-view-title"><span class="o-ico"><svg/],
  ]);
});

describe("code", () => {
  testRows([
    [
      "CodeGroup",
      `<CodeGroup>\n\n${codes}\n\n</CodeGroup>`,
      /role="tab"(?=[^>]* data-on)[^>]*>One<\/button>[\s\S]*Two<\/button>/,
    ],
    [
      "CodeGroup dropdown",
      `<CodeGroup dropdown>\n\n${codes}\n\n</CodeGroup>`,
      /<select[\s\S]*<option[^>]*>One<\/option><option[^>]*>Two<\/option>/,
    ],
    [
      "RequestExample",
      `<RequestExample>\n\n${codes}\n\n</RequestExample>`,
      /<aside[\s\S]*data-example="request"[\s\S]*One/,
    ],
    [
      "ResponseExample",
      "<ResponseExample>\n\n```json\n{}\n```\n\n</ResponseExample>",
      /<aside[\s\S]*data-example="response"[\s\S]*Response/,
    ],
  ]);
});

describe("fields", () => {
  testRows([
    [
      "ParamField",
      '<ParamField path="id" type="string">The id.</ParamField>',
      /o-field field"[\s\S]*The id\./,
    ],
    [
      "ParamField path",
      '<ParamField path="userId" type="string" />',
      /id="param-user-id"[\s\S]*<code class="o-field-name">userId<\/code>/,
    ],
    [
      "ParamField query",
      '<ParamField query="filter[name]" type="string" />',
      /id="param-filter-name"[\s\S]*filter\[name\]/,
    ],
    ["ParamField body", '<ParamField body="name" type="string" />', /id="param-name"/],
    ["ParamField header", '<ParamField header="X-Key" type="string" />', /o-field-name">X-Key/],
    ["ParamField name", '<ParamField name="plain" type="string" />', /o-field-name">plain/],
    ["ParamField type", '<ParamField path="id" type="integer" />', /o-field-type">integer/],
    ["ParamField required", '<ParamField path="id" required />', /o-field-required">required/],
    ["ParamField required={false}", '<ParamField path="id" required={false} />', { not: "o-field-required" }],
    ["ParamField optional", '<ParamField path="id" optional />', /o-field-optional">optional/],
    ["ParamField deprecated", '<ParamField path="id" deprecated />', /o-field-deprecated">deprecated/i],
    [
      "ParamField default",
      '<ParamField path="id" default="10" />',
      /o-field-default">default <code>10<\/code>/,
    ],
    ["ParamField default={false}", '<ParamField path="id" default={false} />', /<code>false<\/code>/],
    [
      "ResponseField",
      '<ResponseField name="id" type="string">The id.</ResponseField>',
      /o-field field"[\s\S]*The id\./,
    ],
    [
      "ResponseField name",
      '<ResponseField name="createdAt" type="string" />',
      /id="param-created-at"[\s\S]*createdAt/,
    ],
    ["ResponseField type", '<ResponseField name="id" type="string[]" />', /o-field-type">string\[\]/],
    ["ResponseField required", '<ResponseField name="id" type="string" required />', "o-field-required"],
    ["ResponseField optional", '<ResponseField name="id" type="string" optional />', "o-field-optional"],
    ["ResponseField default", '<ResponseField name="id" type="string" default="x" />', /o-field-default/],
  ]);
});

describe("inline and media", () => {
  testRows(
    [
      [
        "Frame",
        "<Frame>![a](/images/a.png)</Frame>",
        /<figure class="o-frame frame">[\s\S]*<img[^>]*src="images\/a\.png"/,
      ],
      [
        "Frame caption",
        '<Frame caption="A **bold** picture">x</Frame>',
        /<figcaption>A <strong>bold<\/strong> picture/,
      ],
      [
        "Frame hint, not its title",
        '<Frame hint="A **hint**" title="A title">x</Frame>',
        /o-frame-hint">A <strong>hint<\/strong>/,
        { not: "A title" },
      ],
      [
        "Frame title, if the hint is empty",
        '<Frame hint="" title="A title">x</Frame>',
        /o-frame-hint">A title</,
      ],
      ["Frame style", '<Frame style={{ maxWidth: "400px" }}>x</Frame>', /<figure style="max-width:\s?400px/],
      ["Icon", '<Icon icon="flag" />', /<span class="o-ico"><svg/],
      ["Icon icon from the site", '<Icon icon="/images/a.png" />', /images\/a\.png/],
      ["Icon iconType", '<Icon icon="star" iconType="regular" />', /<span class="o-ico"><svg/],
      ["Icon size", '<Icon icon="flag" size={32} />', /(?:width="32"|width:\s?32px)/],
      ["Icon color", '<Icon icon="flag" color="#ff0000" />', /#ff0000/],
      ["Badge", "<Badge>new</Badge>", /<span class="o-badge o-badge-gray">new<\/span>/],
      ["Badge color", '<Badge color="green">new</Badge>', "o-badge-green"],
      ["Badge size", '<Badge size="lg">new</Badge>', "o-badge-lg"],
      ["Badge shape", '<Badge shape="pill">new</Badge>', "o-badge-pill"],
      ["Badge icon", '<Badge icon="star">new</Badge>', /o-badge[^>]*><span class="o-ico"><svg/],
      [
        "Tooltip",
        'The <Tooltip tip="Application interface">API</Tooltip> is here.',
        /o-tooltip-term"[^>]*tabindex="0"[^>]*>API<\/span>/i,
      ],
      ["Tooltip tip", '<Tooltip tip="In full">API</Tooltip>', /role="tooltip"[\s\S]*In full/],
      [
        "Tooltip cta and href",
        '<Tooltip tip="x" cta="Read more" href="/other">API</Tooltip>',
        /<a href="other\.html"[^>]*>Read more<\/a>/,
      ],
      ["Latex", "<Latex>a^2</Latex>", /<math[\s\S]*<msup>/],
      [
        "Update",
        '<Update label="June">Words.</Update>',
        /<section class="o-update update" id="june"[\s\S]*Words\./,
      ],
      [
        "Update label",
        '<Update label="June 2026">x</Update>',
        /<h2 class="o-update-label">June 2026/,
        /table-of-contents[\s\S]*href="#june-2026"/,
      ],
      [
        "Update description",
        '<Update label="June" description="v2.0">x</Update>',
        /o-update-description">v2\.0/,
      ],
      [
        "Update tags",
        '<Update label="June" tags={["API", "UI"]}>x</Update>',
        /data-tags="API,UI"/,
        /data-filter="API"/,
      ],
      [
        "Update tags: filters replace the table of contents",
        '<Update label="June" tags={["API"]}>x</Update>',
        { not: 'id="table-of-contents"' },
      ],
      ["Tree", "<Tree><Tree.File name='a.ts' /></Tree>", /o-files[\s\S]*<ul>[\s\S]*a\.ts/],
      [
        "Tree.Folder name",
        "<Tree><Tree.Folder name='src'><Tree.File name='a.ts' /></Tree.Folder></Tree>",
        /<details class="o-files-node">[\s\S]*<summary>[\s\S]*src[\s\S]*a\.ts/,
      ],
      [
        "Tree.Folder defaultOpen",
        "<Tree><Tree.Folder name='src' defaultOpen><Tree.File name='a.ts' /></Tree.Folder></Tree>",
        /<details class="o-files-node" open/,
      ],
      [
        "Tree.File name",
        "<Tree><Tree.File name='read.me' /></Tree>",
        /o-files-file"><span class="o-files-name">read\.me/,
      ],
      ["Visibility for humans", '<Visibility for="humans">People</Visibility>', "People"],
      ["Visibility for agents", '<Visibility for="agents">Programs</Visibility>', { not: "Programs" }],
      [
        "Snippet file",
        '<Snippet file="part.mdx" name="you" />',
        /From a <strong>snippet<\/strong>, for you\./,
      ],
    ],
    beside,
  );

  test("Markdown contains the content for agents but not the content for humans", async () => {
    const { site } = await buildPage(
      '<Visibility for="humans">People</Visibility>\n\n<Visibility for="agents">Programs</Visibility>',
    );
    expect(site.read("index.md")).toMatch("Programs");
    expect(site.read("index.md")).not.toMatch("People");
  });
});

describe("author components", () => {
  testRows(
    [
      [
        "imported from a snippet",
        'import Prerequisites from "/snippets/prerequisites.mdx";\n\n<Prerequisites />',
        "Have Node.",
      ],
      [
        "exported from a snippet",
        'import { SnippetIntro } from "/snippets/intro.mdx";\n\n<SnippetIntro name="Ada" />',
        /Hello <b>Ada<\/b>/,
      ],
      [
        "imported from a file of code",
        'import { Concepts } from "/snippets/concepts.jsx";\n\n<Concepts items={["a", "b"]} />',
        /<li>A<\/li><li>B<\/li>/,
      ],
    ],
    {
      "snippets/prerequisites.mdx": "Have Node.\n",
      "snippets/intro.mdx": "export const SnippetIntro = ({ name }) => <p>Hello <b>{name}</b></p>;\n",
      "snippets/concepts.jsx":
        "export const Concepts = ({ items }) => <ul>{items.map((item) => <li>{item.toUpperCase()}</li>)}</ul>;\n",
    },
  );

  test("an unknown component is replaced with its content and reported", async () => {
    const { html, problems } = await buildPage("Before <Wat>inner</Wat> after.\n\n<Cart>x</Cart>");
    expect(html).toMatch(/Before\s+inner\s+after\./);
    expect(briefly(problems)).toEqual(["unknown-component index.mdx:1", "unknown-component index.mdx:3"]);
    expect(problems[1]!.hint).toBe("Did you mean <Card>?");
  });
});

describe("HTML elements", () => {
  const simple = "div p code span strong b li ul sup sub kbd u h3 i em section button".split(" ");
  testRows(
    simple.map((name) => [
      name,
      `<${name} className="mine">inner</${name}>`,
      new RegExp(`<${name}[^>]* class="mine"[^>]*>(?:<p>)?inner`),
    ]),
  );
  testRows(
    [
      [
        "img",
        '<img src="/images/a.png" alt="A" width="30" />',
        /<img(?=[^>]*src="images\/a\.png")(?=[^>]*alt="A")(?=[^>]*width="30")/,
      ],
      ["a", '<a href="/other">x</a>', /<a href="other\.html"/],
      ["br", "a<br />b", /a<br\/?>b/],
      ["hr", "<hr />", /<hr\/?>/],
      ["h1", "Text\n\n<h1>Big</h1>", /<h1[^>]*>Big/],
      ["h2", "<h2>Title</h2>", /<h2 id="title">Title/],
      [
        "iframe",
        '<iframe src="https://www.youtube.com/embed/x" title="Film" allowFullScreen></iframe>',
        /<iframe[^>]*src="https:\/\/www\.youtube\.com\/embed\/x"/,
      ],
      [
        "video and source",
        '<video controls><source src="/images/a.png" type="video/mp4" /></video>',
        /<video controls[^>]*>(?:\s|<p>)*<source src="images\/a\.png"/,
      ],
      [
        "video autoPlay in Frame",
        '<Frame><video autoPlay src="/images/a.png" /></Frame>',
        /<video(?=[^>]*autoplay)(?=[^>]*muted)(?=[^>]*loop)(?=[^>]*playsinline)/i,
      ],
      [
        "details and summary",
        "<details><summary>More</summary>Text</details>",
        /<details><summary>More<\/summary>Text/,
      ],
      [
        "table",
        "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
        /<table[^>]*>\s*<thead>\s*<tr>\s*<th>A<\/th>[\s\S]*<td class="o-num">1<\/td>/,
      ],
      [
        "svg and path",
        '<svg viewBox="0 0 8 8"><path d="M0 0h8" fill="red" /></svg>',
        /<svg viewBox="0 0 8 8"><path d="M0 0h8" fill="red"/,
      ],
      [
        "style as an object",
        '<div style={{ marginTop: 4, color: "red" }}>x</div>',
        /style="margin-top:\s?4px;\s?color:\s?red;?"/,
      ],
      [
        "Tailwind classes for light and dark mode",
        '<img className="block dark:hidden" src="/images/a.png" />',
        /class="block dark:hidden"/,
      ],
      [
        "scripts are removed",
        '<script>{"alert(1)"}</script><a href="javascript:alert(1)" onClick="alert(1)">x</a>',
        { not: /alert\(1\)/ },
      ],
    ],
    beside,
  );
});
