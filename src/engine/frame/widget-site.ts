/** Data about a site that its widget contains. Paths are relative to the site's root. */
export interface WidgetSite {
  /** Script that sets the features of the site. */
  operator: string;
  /** Script with the panel. */
  panel: string;
  /** Style sheet with the site's colors. */
  css: string;
  /** Suffix of the URLs of pages: `.html`, or empty. */
  linkSuffix: string;
  /** Whether answers have feedback buttons, unless the operator turned off analytics. */
  hasFeedback: boolean;
  /** As in `AssistantLinks`. */
  support?: string;
  /** Default language. */
  language: string;
  /** Languages of the site. */
  languages: Record<string, WidgetLanguage>;
}

export interface WidgetLanguage {
  /** Label of the button that opens the panel. */
  label: string;
  /** Shown if the panel can't be loaded. */
  failed: string;
  direction: "ltr" | "rtl";
  /** Script with the messages of the panel. */
  messages: string;
}
