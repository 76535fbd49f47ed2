/** Types of the navigation in docs.json. */

import type { JsonPath } from "../json-positions.ts";
import type { IconValue } from "./icon-schema.ts";
import type { BannerSettings, FooterSettings, NavbarSettings } from "./layout-schema.ts";
import type { ApiSource } from "./openapi-entries.ts";

export type DivisionKind =
  | "root"
  | "product"
  | "language"
  | "version"
  | "tab"
  | "item"
  | "dropdown"
  | "anchor"
  | "group";

/** A part of the navigation, such as a tab or a group, with its settings and children. */
export interface Division {
  kind: DivisionKind;
  /** The label. A language's label is its code, and the root's label is empty. */
  label: string;
  /** Display name of a product. Default: its label. */
  name?: string;
  description?: string;
  icon?: IconValue;
  iconType?: string;
  tag?: string;
  color?: { light?: string; dark?: string };
  /** URL of a division that is a link. */
  href?: string;
  /** Whether the navigation omits the division. Its pages still have URLs. */
  hidden: boolean;
  /** Whether search finds the pages of a hidden division. */
  searchable: boolean;
  isDefault: boolean;
  /** Whether a group is initially open. */
  expanded: boolean;
  /** Whether a tab is at the end of the tab bar. */
  alignEnd: boolean;
  /**
   * The `public` setting: whether the pages are readable without signing in. If undefined, the parent's
   * setting applies.
   */
  isPublic?: boolean;
  /** Set if the division has an access rule that Octavo doesn't know: no one can see its pages. */
  isClosed?: true;
  /** Factor for the scores of the pages in search. */
  boost?: number;
  /**
   * How a group's root page lists the group's pages. Also applies to groups inside the division. Default: no
   * list.
   */
  directory?: "none" | "accordion" | "card";
  /** Route of the page that the division's title links to. */
  root?: string;
  /** OpenAPI documents from the `openapi` setting. */
  openapi: ApiSource[];
  /** Whether the division has an AsyncAPI, GraphQL or SDK reference, which is accepted but not rendered. */
  hasOtherReference: boolean;
  /** The `version` setting of a division that is not itself a version. */
  version?: string;
  banner?: BannerSettings;
  footer?: FooterSettings;
  navbar?: NavbarSettings;
  /** Divisions from the `global` setting, which are shown as links. */
  global: Division[];
  children: NavChild[];
  /** Path of the division in docs.json. */
  path: JsonPath;
}

/** An entry for a page. `path`: path of the entry in docs.json. */
export interface PageEntry {
  kind: "page";
  route: string;
  /** Whether the entry names the index file of a folder. */
  isIndex?: boolean;
  /** Set if the entry has an access rule that Octavo doesn't know: no one can see the page. */
  isClosed?: true;
  path: JsonPath;
}

/**
 * An entry for an operation. `text`: `METHOD /path`, optionally preceded by the path or URL of a document.
 */
export interface NavOperation {
  kind: "operation";
  text: string;
  path: JsonPath;
}

export type NavChild = Division | PageEntry | NavOperation;
