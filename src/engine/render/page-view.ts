/** The view model of a page, which the layout renders. All URLs are final. */
import type { SiteMessages } from "../i18n/messages.ts";

export interface NavLink {
  label: string;
  href: string;
  /** Class of an icon in site.css. */
  icon?: string;
  description?: string;
  tag?: string;
  /** GET, POST, …, or WEBHOOK: a badge before the label. */
  method?: string;
  deprecated?: boolean;
  /** Opens in a new tab, and has an arrow. */
  external?: boolean;
  /** The current page, or the section that contains it. */
  current?: boolean;
}

/** `items` undefined: the group's content is in the shared navigation file. */
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
  /** Set if `tree` is only this page's branch: the shared script with the rest, and the page that lists all. */
  rest?: { script: string; contentsHref: string; path: string };
}

export interface TocEntry {
  id: string;
  text: string;
  /** 2 to 4: the depth in the list. */
  level: number;
  /** Titles of the tabs and views that contain the entry, outermost first. */
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
  /** URL; absent for actions of scripts (`copy`). */
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
  /** Relative URL of the site's root: ``, `../`, `../../`, or `/`. */
  root: string;
  /** Suffix of a page's path in a link: `.html` in a bundle that opens from disk. */
  linkSuffix: "" | ".html";
  homeHref: string;
  site: { name: string; logo?: { light: string; dark: string }; logoHref: string };
  /** HTML for `<head>`: meta, links, JSON-LD. */
  headHtml: string;
  styles: string[];
  /** Style sheet → its replacement for pages from disk. */
  diskStyles?: Readonly<Record<string, string>>;
  /** Files with scripts that are otherwise inline. */
  init?: { head: string; sidebar: string };
  /** Additional style sheets, loaded if external content is allowed. */
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
  /** URL of the navigation entries that only some readers of the page may see. */
  readerNavigation?: string;
  /** Redirects of fragments of the page's URL: fragment → destination. */
  movedFragments?: Record<string, string>;
  /** The description contains components. */
  descriptionIsBlock?: boolean;
  eyebrow: { label: string; href?: string }[];
  /** Shows a badge next to the title. */
  deprecated: boolean;
  tag?: string;
  version?: string;
  bodyHtml: string;
  /** HTML before the body. In a layout with one column, the right column's content follows it. */
  leadHtml?: string;
  /** Examples or a panel for the right column, instead of the table of contents. */
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
  /** Absent without analytics. */
  analytics?: AnalyticsLinks;
  /** Script with the messages of search and assistant. */
  dialogMessages?: string;
  /** The script that sets the features, the kind of deployment for the defaults, and the script that loads the analytics services of docs.json. */
  operator?: { file: string; kind: "cloud" | "client-hosted" | "air-gapped"; services?: string };
  /** Content of other hosts: unchanged (default), a link with the content for the page's script, or only a link. */
  outside?: "shown" | "held" | "link";
  /** URL of the page's Markdown. */
  markdownHref?: string;
  /** URLs of the playground of an operation's page. */
  playground?: PlaygroundLinks;
}

/** URLs and options of search. */
export interface SearchLinks {
  script: string;
  style: string;
  /** Folder of the index in the page's language; absent if the host searches because of restricted pages. */
  index?: string;
  /** Endpoint of the host's search. */
  host?: string;
  /** Placeholder of the search field. */
  prompt?: string;
  /** The version and the product of the page, if there are several. */
  scope: { version?: ScopeName; product?: ScopeName };
}

/** Label in the navigation, and display name. */
export interface ScopeName {
  name: string;
  label: string;
}

/** URLs of analytics and feedback. */
export interface AnalyticsLinks {
  script: string;
  events: string;
  feedback: string;
  /** Path for analytics; absent for generated pages such as the 404 page. */
  path?: string;
  /** Entry in local storage, or cookie, that gives consent to analytics. */
  consent?: { key: string; value: string };
}

/** URLs of the assistant. */
export interface AssistantLinks {
  script: string;
  style: string;
  message: string;
  /** Absent if feedback is turned off. */
  feedback?: string;
}

export interface PlaygroundLinks {
  /** URL of the operation's file, and prefix of the files with the document's components. */
  operation: string;
  components: string;
  script: string;
  style: string;
  words: string;
  /** Proxy endpoint of the site's server; null if the proxy is turned off. */
  proxy: string | null;
  /** Redirect page for authorization servers. */
  oauth: string;
  /** Sign-in page, and endpoint that tells whether the reader may use the playground. Absent if all readers of the page may. */
  signIn?: string;
  access?: string;
}
