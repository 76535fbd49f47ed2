import type { JsonPath } from "../json-positions.ts";
import type { ApiSource } from "./openapi-entries.ts";
import type { Banner, Footer, IconValue, Navbar } from "./schema.ts";

export type DivisionKind = "root" | "product" | "language" | "version" | "tab" | "item" | "dropdown" | "anchor" | "group";

/** A part of the navigation, such as a tab or a group, with its settings and children. */
export interface Division {
  kind: DivisionKind;
  /** The label. For a language, its code. */
  label: string;
  /** Display name of a product. */
  name?: string;
  description?: string;
  icon?: IconValue;
  iconType?: string;
  tag?: string;
  color?: { light?: string; dark?: string };
  /** URL, if the division is only a link. */
  href?: string;
  hidden: boolean;
  searchable: boolean;
  isDefault: boolean;
  expanded: boolean;
  alignEnd: boolean;
  isPublic?: boolean;
  boost?: number;
  directory?: "none" | "accordion" | "card";
  /** Route of the page that the group's title links to. */
  root?: string;
  /** OpenAPI documents from the `openapi` setting. */
  openapi: ApiSource[];
  /** Whether it has an AsyncAPI, GraphQL or SDK reference, which is accepted but not rendered. */
  hasOtherReference: boolean;
  /** The `version` setting, for a division that is not itself a version. Applies to all pages below. */
  version?: string;
  banner?: Banner;
  footer?: Footer;
  navbar?: Navbar;
  /** Links that are shown on every page below this division. */
  global: Division[];
  children: NavChild[];
  path: JsonPath;
}

export interface PageEntry {
  kind: "page";
  route: string;
  path: JsonPath;
}

/** `METHOD /path`, optionally preceded by the name of a document. */
export interface NavOperation {
  kind: "operation";
  text: string;
  path: JsonPath;
}

export type NavChild = Division | PageEntry | NavOperation;
