/** Lists the built-in components. */

import { accordion, accordionGroup } from "./accordion.tsx";
import { badge } from "./badge.tsx";
import { banner } from "./banner.tsx";
import { aside, callout, check, danger, hint, info, note, tip, warning } from "./callouts.tsx";
import { card } from "./card.tsx";
import { codeBlock } from "./code-block.tsx";
import { codeGroup, requestExample, responseExample } from "./code-group.tsx";
import { color, colorItem, colorRow } from "./color.tsx";
import { column, columns } from "./columns.tsx";
import type { ComponentDefinition } from "./component.ts";
import { expandable } from "./expandable.tsx";
import { paramField, responseField } from "./fields.tsx";
import { frame } from "./frame.tsx";
import { gitHubRepo } from "./github-repo.tsx";
import { heading } from "./heading.tsx";
import { icon } from "./icon.tsx";
import { island } from "./island.tsx";
import { latex } from "./latex.tsx";
import { link } from "./link.tsx";
import { mermaid } from "./mermaid.tsx";
import { panel } from "./panel.tsx";
import { problemBox } from "./problem-box.tsx";
import { prompt } from "./prompt.tsx";
import { step, steps } from "./steps.tsx";
import { tab, tabItem, tabs } from "./tabs.tsx";
import { tile } from "./tile.tsx";
import { tooltip } from "./tooltip.tsx";
import { transparent } from "./transparent.tsx";
import { tree, treeFile, treeFolder } from "./tree.tsx";
import { undocumented } from "./undocumented.tsx";
import { update } from "./update.tsx";
import { view } from "./view.tsx";
import { visibility } from "./visibility.tsx";

/** All built-in components by tag name. */
export const components = {
  Accordion: accordion,
  AccordionGroup: accordionGroup,
  Badge: badge,
  Banner: banner,
  Callout: callout,
  Card: card,
  CardGroup: columns,
  Check: check,
  CodeBlock: codeBlock,
  CodeGroup: codeGroup,
  Color: color,
  "Color.Item": colorItem,
  "Color.Row": colorRow,
  Column: column,
  Columns: columns,
  Danger: danger,
  Expandable: expandable,
  FileTree: tree,
  Frame: frame,
  "GitHub.Repo": gitHubRepo,
  Heading: heading,
  Icon: icon,
  Info: info,
  Island: island,
  Latex: latex,
  MDX: transparent,
  Mermaid: mermaid,
  Note: note,
  Panel: panel,
  Param: paramField,
  ParamField: paramField,
  ProblemBox: problemBox,
  Prompt: prompt,
  RequestExample: requestExample,
  ResponseExample: responseExample,
  ResponseField: responseField,
  Snippet: transparent,
  SnippetGroup: codeGroup,
  Step: step,
  Steps: steps,
  Tab: tab,
  Tabs: tabs,
  Tile: tile,
  Tip: tip,
  Tooltip: tooltip,
  Tree: tree,
  "Tree.File": treeFile,
  "Tree.Folder": treeFolder,
  Undocumented: undocumented,
  Update: update,
  Variation: {
    ...transparent,
    ineffective: "All variations are shown. To switch between them, use <Tabs> or <View>.",
  },
  View: view,
  Visibility: visibility,
  Warning: warning,
  // Names from other platforms.
  Aside: aside,
  Cards: columns,
  CardGrid: columns,
  Caution: warning,
  Critical: danger,
  Error: danger,
  Hint: hint,
  Important: info,
  Link: link,
  LinkCard: card,
  Success: check,
  TabItem: tabItem,
} satisfies Record<string, ComponentDefinition>;

type ComponentName = keyof typeof components;

/** Returns the built-in component with this tag name. Undefined for other names. */
export function componentNamed(name: string): ComponentDefinition | undefined {
  return Object.hasOwn(components, name) ? components[name as ComponentName] : undefined;
}

/** Returns the names of the components for which `has` returns true. Default: all components. */
export function componentNames(
  has: (definition: ComponentDefinition) => boolean = () => true,
): ComponentName[] {
  return (Object.keys(components) as ComponentName[]).filter((name) => has(components[name]));
}
