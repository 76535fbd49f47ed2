/** Lists the props of the built-in components, to report others. */

import { nearest } from "../../base/nearest.ts";

const icon = "icon iconType";
const callout = `type kind color emoji title ${icon}`;
const card = `title type color href horizontal img alt cta arrow description ${icon}`;
const columns = "cols columns";
const field =
  "id name query path body header type default pre post nullable required optional deprecated description placeholder initialValue";
const tab = `title label value ${icon}`;
const code = "language lang meta title filename icon iconType lines highlight focus wrap expandable nocopy code theme";

/** Props by component. Components with any props are missing. */
const lists: Readonly<Record<string, string>> = {
  Accordion: `title description defaultOpen ${icon}`,
  AccordionGroup: "title",
  Aside: callout,
  Badge: `color size shape stroke disabled ${icon}`,
  Banner: "title description",
  Callout: callout,
  Card: card,
  CardGrid: columns,
  CardGroup: columns,
  Cards: columns,
  Caution: callout,
  Check: callout,
  CodeBlock: code,
  CodeGroup: "dropdown",
  Color: "variant",
  "Color.Item": "name value",
  "Color.Row": "title",
  Column: "",
  Columns: columns,
  Critical: callout,
  Danger: callout,
  Error: callout,
  Expandable: `title defaultOpen ${icon}`,
  Frame: "caption hint title",
  "GitHub.Repo": "repo variant",
  Heading: "level noAnchor",
  Hint: callout,
  Icon: "icon name src iconType color size",
  Important: callout,
  Info: callout,
  LinkCard: card,
  Note: callout,
  Panel: "",
  Param: field,
  ParamField: field,
  Prompt: `description actions ${icon}`,
  RequestExample: "dropdown",
  ResponseExample: "dropdown",
  ResponseField: field,
  Step: `title stepNumber titleSize noAnchor ${icon}`,
  Steps: "title titleSize",
  Success: callout,
  Tab: tab,
  TabItem: `${tab} default`,
  Tabs: "defaultTabIndex sync borderBottom",
  Tile: "href title description",
  Tip: callout,
  Tooltip: "tip headline cta href",
  "Tree.File": "name highlight comment",
  "Tree.Folder": "name defaultOpen openable highlight comment",
  Update: "label description date tags rss",
  View: `title ${icon}`,
  Warning: callout,
};

const known: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([name, list]) => [name, new Set(list.split(" "))]),
);

/** Props of all components. Those with a hyphen, such as `data-x`, and event handlers are allowed, too. */
const common = new Set("id key ref className class style children dir lang".split(" "));

/** Returns the props that a component doesn't have, each with the name that was probably meant. */
export function unknownProps(component: string, props: Iterable<string>): { prop: string; near?: string }[] {
  const own = known.get(component);
  if (!own) return [];
  const found: { prop: string; near?: string }[] = [];
  for (const prop of props) {
    if (own.has(prop) || common.has(prop) || prop.includes("-") || /^on[A-Z]/.test(prop)) continue;
    const near = nearest(prop, own);
    found.push({ prop, ...(near ? { near } : {}) });
  }
  return found;
}
