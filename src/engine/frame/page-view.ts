/** Types of a page's view model, which the layout renders. All URLs are final. */

import type { PageMode } from "../config/page-mode.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { TocEntry } from "../page/table-of-contents.ts";

export interface NavLink {
  label: string;
  href: string;
  /** Class of an icon in site.css. */
  icon?: string;
  description?: string;
  tag?: string;
  /** HTTP method or `WEBHOOK`, shown as a badge before the label. */
  method?: string;
  deprecated?: boolean;
  /** Whether the link opens in a new tab and has an arrow. */
  external?: boolean;
  /** Whether this is the current page or the section that contains it. */
  current?: boolean;
}

/**
 * A group of the navigation. `items` is undefined if the group's content is in the shared navigation file.
 */
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

/** A tab. If `menu` is set, a button that opens a list of links. */
export interface TabLink extends NavLink {
  menu?: NavLink[];
  alignEnd?: boolean;
}

export interface NavView {
  selectors: Selector[];
  tabs: TabLink[];
  anchors: NavLink[];
  tree: NavItem[];
  /**
   * Set if `tree` is incomplete. `script`: URL of the shared script with the complete tree. `contentsHref`:
   * URL of the page that lists all pages of the tree. `path`: path of this page in the tree.
   */
  rest?: { script: string; contentsHref: string; path: string };
}

export interface FooterColumn {
  header?: string;
  items: { label: string; href: string; external?: boolean }[];
}

export interface ContextualOption {
  /** Built-in id (`copy`, `view`, `chatgpt`, …), or `custom`. */
  id: string;
  title: string;
  description?: string;
  /** Icon of the option, as inline SVG. */
  icon?: string;
  /** URL. Undefined for actions of the page's script. */
  href?: string;
  /** The feature that the option needs. The operator of a site can turn it off. */
  feature?: "assistant" | "search";
  /** Whether `href` opens an app on the reader's computer, such as `cursor:`. */
  opensApp?: boolean;
  /** The text that the option copies. Empty for the page's Markdown. */
  copies?: string;
  external?: boolean;
}

/** A logo, with its size in pixels if it's known. */
export interface LogoView {
  src: string;
  width?: number;
  height?: number;
}

export interface PageView {
  language: string;
  direction: "ltr" | "rtl";
  messages: SiteMessages;
  theme: string;
  mode: PageMode;
  /** Path of the page without a leading slash: `guides/start`. The path of the home page is `index`. */
  path: string;
  /** URL of the site's root: empty, `../` (repeated), or an absolute path such as `/` or `/docs/`. */
  root: string;
  /** Whether the site's URL has a path. */
  isBelowPath: boolean;
  /** Suffix of page paths in links: `.html` if links refer to files, otherwise empty. */
  linkSuffix: "" | ".html";
  homeHref: string;
  site: { name: string; logo?: { light: LogoView; dark: LogoView }; logoHref: string };
  /** HTML for `<head>`: meta tags, links and JSON-LD. */
  headHtml: string;
  /** Text for AI agents with the URLs of llms.txt and the page's Markdown. Absent on generated pages. */
  agentHint?: string;
  styles: string[];
  /** Whether the ids of the parts of the layout start with `o-`, because the content has one of them. */
  hasOwnIds?: boolean;
  /** URLs of fonts to preload. */
  fonts?: string[];
  /**
   * URLs of style sheets that replace others on pages opened from disk, by URL of the replaced style sheet.
   */
  diskStyles?: Readonly<Record<string, string>>;
  /** URLs of the initialization scripts, if the scripts are files. Absent if they are inline. */
  init?: { head: string; sidebar: string };
  /** URLs of additional style sheets, which are loaded if external content is allowed. */
  outsideStyles?: string[];
  /** URLs of classic scripts, which are loaded with `defer`. */
  scripts: string[];
  appearance: { default: "system" | "light" | "dark"; strict: boolean };
  banner?: {
    html: string;
    type: "info" | "warning" | "critical";
    color?: { light: string; dark: string };
    dismissible: boolean;
    id: string;
  };
  navbar: {
    links: NavLink[];
    primary?: { label: string; href: string; type: "button" | "github" | "discord" };
  };
  nav: NavView;
  title: string;
  /** The title as HTML, instead of `title`. */
  titleHtml?: string;
  /** The page's description as HTML. Undefined if the page has none. */
  descriptionHtml?: string;
  /** Whether the description contains components. */
  descriptionIsBlock?: boolean;
  /** URL of the navigation entries that only some readers of the page may see. */
  readerNavigation?: string;
  /** Redirects for fragments of the page's URL: destination by `location.hash`. */
  movedFragments?: Record<string, string>;
  eyebrow: { label: string; href?: string }[];
  /** Whether to show a "deprecated" badge next to the title. */
  deprecated: boolean;
  tag?: string;
  version?: string;
  bodyHtml: string;
  /** Parts of the page in UTF-8, by the names of the holes for them. */
  parts?: PageParts;
  /**
   * HTML before the body. In a one-column layout, the right column's content is between this HTML and the
   * body.
   */
  leadHtml?: string;
  /** Examples or a panel for the right column, instead of the table of contents. */
  asideHtml?: string;
  toc: TocEntry[];
  /** Tags of the page's changelog entries (`<Update>`), for the filter. */
  updateTags: string[];
  rssHref?: string;
  /** The page's views (`<View>`), for the switch. */
  views: { title: string; icon?: string }[];
  contextual: { options: ContextualOption[]; placement: "header" | "toc" };
  /** Child pages that a group's root page lists below its text. */
  directory?: { style: "accordion" | "card"; groups: { label?: string; links: NavLink[] }[] };
  related: NavLink[];
  previous?: NavLink;
  next?: NavLink;
  /** Date of the last change, usually in ISO 8601 format. */
  updatedAt?: string;
  /** URL for editing the page's source file on the repository's host. */
  editHref?: string;
  /** URL for creating an issue on the repository's host. */
  issueHref?: string;
  footer: { socials: { name: string; href: string; iconSvg: string }[]; columns: FooterColumn[] };
  search?: SearchLinks;
  assistant?: AssistantLinks;
  /** URLs and settings of analytics. Undefined if the page has no analytics. */
  analytics?: AnalyticsLinks;
  /** URL of the script with the locale messages of search and assistant. */
  dialogMessages?: string;
  /**
   * `file`: URL of the operator file, which turns features on and off. `kind`: kind of deployment, which
   * determines the defaults. `services`: URL of the script that loads the analytics services in docs.json.
   */
  operator?: { file: string; kind: "cloud" | "client-hosted" | "air-gapped"; services?: string };
  /**
   * How content from other hosts is rendered. `shown` (the default): unchanged. `restorable`: as a link that
   * the page's script can replace with the content. `link`: only as a link.
   */
  outside?: "shown" | "restorable" | "link";
  /** URL of the page's Markdown. */
  markdownHref?: string;
  /** URLs of the page's playground. Absent if the page has none. */
  playground?: PlaygroundLinks;
}

/** URLs and options of search. */
export interface SearchLinks {
  script: string;
  style: string;
  /**
   * Name of the folder with the search index for the page's language. Undefined if the host searches, because
   * readers can sign in.
   */
  index?: string;
  /** Endpoint of the host's search. Set if `index` isn't. */
  host?: string;
  /** Placeholder of the search field and label of the search button. Default: a localized text. */
  prompt?: string;
  /**
   * The version and the product of the page. Each is set only if there are several at the same level of the
   * navigation.
   */
  scope: { version?: ScopeName; product?: ScopeName };
}

/** HTML in UTF-8, by the names of the holes for it. */
export type PageParts = Readonly<Record<string, Uint8Array>>;

/** A version or product that readers can limit a search to. */
export interface ScopeName {
  /** Label of the division in docs.json. Identifies the version or product in the search index. */
  name: string;
  /** Text that readers see: the division's `name`, or its label if it has none. */
  label: string;
}

/** URLs of analytics and feedback. */
export interface AnalyticsLinks {
  script: string;
  events: string;
  /** Feedback endpoint. Undefined if feedback is turned off. */
  feedback?: string;
  /** Absent if there is no feedback on code blocks. */
  codeFeedback?: CodeFeedbackLinks;
  /** Path under which the page is counted. Undefined for generated pages such as the 404 page. */
  path?: string;
  /**
   * Key and value of the local storage entry or cookie that indicates the reader's consent to analytics.
   * Absent if no consent is needed.
   */
  consent?: { key: string; value: string };
}

/** The endpoint for feedback on code blocks, and the texts of its form. */
export interface CodeFeedbackLinks {
  endpoint: string;
  open: string;
  comment: string;
  send: string;
  thanks: string;
  failed: string;
}

/** URLs of the assistant. */
export interface AssistantLinks {
  script: string;
  style: string;
  message: string;
  /** Feedback endpoint. Undefined if feedback is turned off. */
  feedback?: string;
  /** Link to support, with `{threadId}` in the place of the conversation's ID. Absent if there is none. */
  support?: string;
}

/** URLs of the playground of an operation. */
export interface PlaygroundLinks {
  /** URL of the operation's file. */
  operation: string;
  /** URL of the folder with the document's components. */
  components: string;
  script: string;
  style: string;
  /** URL of the script with the interface messages. */
  words: string;
  /** Proxy endpoint of the site's server. Null if the proxy is turned off. */
  proxy: string | null;
  /** URL of the OAuth redirect page. */
  oauth: string;
  /** URL of the sign-in page. Undefined if all readers of the page may use the playground. */
  signIn?: string;
  /**
   * Endpoint that returns whether the reader may use the playground. Undefined if all readers of the page may
   * use it.
   */
  access?: string;
}
