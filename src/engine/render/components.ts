import { Accordion, AccordionGroup, Expandable } from "./components/accordions.tsx";
import { Badge, Tooltip } from "./components/badges.tsx";
import { Banner, Heading, Island, Panel, Passage, ProblemBox, TextLink, Visibility } from "./components/blocks.tsx";
import { Callout, Check, Danger, Info, Note, Tip, Warning } from "./components/callouts.tsx";
import { Card, Column, Columns, GitHubRepo, Tile } from "./components/cards.tsx";
import { CodeBlock } from "./components/code-block.tsx";
import { CodeGroup, RequestExample, ResponseExample } from "./components/code-group.tsx";
import { Color, ColorItem, ColorRow } from "./components/colors.tsx";
import { Mermaid } from "./components/diagrams.tsx";
import { ParamField, ResponseField } from "./components/fields.tsx";
import { Latex } from "./components/formulas.tsx";
import { Frame } from "./components/frames.tsx";
import { Icon } from "./components/icon.tsx";
import { Prompt } from "./components/prompts.tsx";
import type { Component } from "./components/prop-values.ts";
import { Step, Steps } from "./components/steps.tsx";
import { Tab, Tabs } from "./components/tabs.tsx";
import { Tree, TreeFile, TreeFolder } from "./components/trees.tsx";
import { Update, View } from "./components/updates.tsx";

/** Every component that a page may use without importing it, by the name that authors write. */
export const components: Readonly<Record<string, Component>> = {
  Accordion,
  AccordionGroup,
  Badge,
  Banner,
  Callout,
  Card,
  CardGroup: Columns,
  Check,
  CodeBlock,
  CodeGroup,
  Color,
  "Color.Item": ColorItem,
  "Color.Row": ColorRow,
  Column,
  Columns,
  Danger,
  Expandable,
  FileTree: Tree,
  Frame,
  "GitHub.Repo": GitHubRepo,
  Heading,
  Icon,
  Info,
  Island,
  Latex,
  MDX: Passage,
  Mermaid,
  Note,
  Panel,
  Param: ParamField,
  ParamField,
  ProblemBox,
  Prompt,
  RequestExample,
  ResponseExample,
  ResponseField,
  Snippet: Passage,
  SnippetGroup: CodeGroup,
  Step,
  Steps,
  Tab,
  Tabs,
  Tile,
  Tip,
  Tooltip,
  Tree,
  "Tree.File": TreeFile,
  "Tree.Folder": TreeFolder,
  Update,
  Variation: Passage,
  View,
  Visibility,
  Warning,
  // Names of other platforms that mean the same.
  Aside: Callout,
  Cards: Columns,
  CardGrid: Columns,
  Caution: Warning,
  Critical: Danger,
  Error: Danger,
  Hint: Callout,
  Important: Info,
  Link: TextLink,
  LinkCard: Card,
  Success: Check,
  TabItem: Tab,
};

/** What a component cannot be shown well without. */
export const requiredProps: Readonly<Record<string, readonly string[]>> = {
  Accordion: ["title"],
  ResponseField: ["name"],
  Step: ["title"],
  Tab: ["title"],
  Tile: ["href"],
  Tooltip: ["tip"],
  Update: ["label"],
  View: ["title"],
};
