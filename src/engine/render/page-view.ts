/**
 * The view-model of a page: everything that its HTML shows, worked out.
 * The layout only prints it; every address in it is final.
 */
import type { SiteMessages } from "../i18n/messages.ts";

export interface NavLink {
  label: string;
  href: string;
  /** Name of an icon class that site.css defines (see icons.ts), or undefined. */
  icon?: string;
  description?: string;
  tag?: string;
  /** GET, POST, …, or WEBHOOK: a badge before the label. */
  method?: string;
  deprecated?: boolean;
  /** Opens elsewhere: shown with an arrow, in a new tab. */
  external?: boolean;
  /** The page that is shown, or the section that holds it. */
  current?: boolean;
}

/** `items` undefined: the group's content is left to the shared navigation file. */
export interface NavGroup extends Partial<Pick<NavLink, "href" | "icon" | "tag" | "current">> {
  label: string;
  open: boolean;
  items?: NavItem[];
}

export type NavItem = ({ kind: "page" } & NavLink) | ({ kind: "group" } & NavGroup);

/** A switch between languages, versions, products or dropdowns. */
export interface Selector {
  kind: "language" | "version" | "product" | "dropdown";
  current: NavLink;
  options: NavLink[];
}

/** A tab; with `menu`, a button that opens a list. */
export interface TabLink extends NavLink {
  menu?: NavLink[];
  alignEnd?: boolean;
}

export interface NavView {
  selectors: Selector[];
  tabs: TabLink[];
  anchors: NavLink[];
  tree: NavItem[];
  /** Set when `tree` is only this page's branch: the shared script that brings the rest, and the page that lists all. */
  rest?: { script: string; contentsHref: string; path: string };
}

export interface TocEntry {
  id: string;
  text: string;
  /** 2 to 4: the depth in the list. */
  level: number;
  /** Titles of the tab or view that must be open for the entry to count, outermost first. */
  within?: string[];
}

export interface FooterColumn {
  header?: string;
  items: { label: string; href: string; external?: boolean }[];
}

export interface ContextualOption {
  /** Built-in id (`copy`, `view`, `chatgpt`, …) or `custom`. */
  id: string;
  title: string;
  description?: string;
  /** Inline SVG. */
  icon?: string;
  /** Where it leads; absent for actions that a script does (`copy`). */
  href?: string;
  external?: boolean;
}

export type PageMode = "default" | "wide" | "custom" | "frame" | "center" | "assistant";

export interface PageView {
  language: string;
  direction: "ltr" | "rtl";
  messages: SiteMessages;
  theme: string;
  mode: PageMode;
  /** Path of the page without a leading slash: `guides/start`; the home page is `index`. */
  path: string;
  /** Prefix that leads from this page to the site's root: ``, `../`, `../../`, or `/`. */
  root: string;
  /** What follows a page's path in a link: `.html` in a bundle that opens from disk. */
  linkSuffix: "" | ".html";
  homeHref: string;
  site: { name: string; logo?: { light: string; dark: string }; logoHref: string };
  /** Ready elements for `<head>`: meta, links, JSON-LD. Text is escaped already. */
  headHtml: string;
  styles: string[];
  /** By style sheet: the one that takes its place in a page from disk. */
  diskStyles?: Readonly<Record<string, string>>;
  /** Files with the scripts that stand inline in other pages. */
  init?: { head: string; sidebar: string };
  /** Taken beside them where other hosts may be asked. */
  outsideStyles?: string[];
  /** Classic scripts, loaded with `defer`. */
  scripts: string[];
  appearance: { default: "system" | "light" | "dark"; strict: boolean };
  banner?: {
    html: string;
    type: "info" | "warning" | "critical";
    color?: { light: string; dark: string };
    dismissible: boolean;
    id: string;
  };
  navbar: { links: NavLink[]; primary?: { label: string; href: string; type: "button" | "github" | "discord" } };
  nav: NavView;
  title: string;
  /** The page's description, with emphasis, code and links. */
  descriptionHtml?: string;
  /** Where signed-in readers get the entries of the navigation that are not for everyone who reads the page. */
  readerNavigation?: string;
  /** Where fragments of the page's address lead that are redirected elsewhere. */
  movedFragments?: Record<string, string>;
  /** The description holds components. */
  descriptionIsBlock?: boolean;
  eyebrow: { label: string; href?: string }[];
  /** Method badge and path beside the title of an API page. */
  deprecated: boolean;
  tag?: string;
  version?: string;
  bodyHtml: string;
  /** The beginning of the text: where there is one column, the right column's content comes after it. */
  leadHtml?: string;
  /** Examples or a panel for the right column; takes the place of the table of contents. */
  asideHtml?: string;
  toc: TocEntry[];
  /** Tags of the page's updates, for its filter. */
  updateTags: string[];
  rssHref?: string;
  /** Titles of the page's views (`<View>`), for its switch. */
  views: { title: string; icon?: string }[];
  contextual: { options: ContextualOption[]; placement: "header" | "toc" };
  /** Child pages that a group's root page lists below its text. */
  directory?: { style: "accordion" | "card"; groups: { label?: string; links: NavLink[] }[] };
  related: NavLink[];
  previous?: NavLink;
  next?: NavLink;
  /** ISO date of the last change. */
  updatedAt?: string;
  footer: { socials: { name: string; href: string; iconSvg: string }[]; columns: FooterColumn[] };
  search?: SearchLinks;
  assistant?: AssistantLinks;
  /** Absent where nobody counts. */
  analytics?: AnalyticsLinks;
  /** Script with the words of search and assistant. */
  dialogMessages?: string;
  /** The script that says which features are on, the kind of deployment whose defaults hold without it, and the script that loads the analytics services named in docs.json. */
  operator?: { file: string; kind: "cloud" | "client-hosted" | "air-gapped"; services?: string };
  /** Content of other hosts: as the author wrote it, a link with the content held back, or only a link. Absent: as written. */
  outside?: "shown" | "held" | "link";
  /** Markdown twin of the page. */
  markdownHref?: string;
  /** Where the playground of an operation's page finds its parts. */
  playground?: PlaygroundLinks;
}

/** Where the page finds its search. */
export interface SearchLinks {
  script: string;
  style: string;
  /** Folder of the index in the page's language; absent where the host searches, since not everything is for everybody. */
  index?: string;
  /** Where the host searches. */
  host?: string;
  /** Text in the empty field, when the site has its own. */
  prompt?: string;
  /** The version and the product that the page is part of, where there are others. */
  scope: { version?: ScopeName; product?: ScopeName };
}

/** As the navigation has it, and as readers know it. */
export interface ScopeName {
  name: string;
  label: string;
}

/** Where the page tells of itself and of searches, and what readers think of it. */
export interface AnalyticsLinks {
  script: string;
  events: string;
  feedback: string;
  /** As it is counted; absent for what is no page of the site's. */
  path?: string;
  /** What must stand in the browser's storage, or in a cookie, before anything is counted. */
  consent?: { key: string; value: string };
}

/** Where the page finds its assistant. */
export interface AssistantLinks {
  script: string;
  style: string;
  message: string;
  /** Absent where readers are not asked what they think. */
  feedback?: string;
}

export interface PlaygroundLinks {
  /** Script with the operation, and prefix of those with the document's components. */
  operation: string;
  components: string;
  script: string;
  style: string;
  words: string;
  /** The site's own server may send requests from here, where there is one. */
  proxy: string | null;
  /** Page that authorization servers send their answer to. */
  oauth: string;
  /** Where readers sign in, and where the page asks whether they may use the playground: absent where all its readers may. */
  signIn?: string;
  access?: string;
}
