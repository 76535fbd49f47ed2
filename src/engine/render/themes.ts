/** Token values and additional rules of a theme. */
export interface ThemeStyle {
  tokens?: Record<string, string>;
  /** CSS rules for the components layer. */
  rules?: string;
}

const sidebarSurface = { "sidebar-bg": "var(--o-surface)", "sidebar-line": "var(--o-border)", page: "100%" };

/** CSS rules that place the tabs in the header bar on wide screens. */
const tabsInBar =
  "@media(min-width:64rem){.o-tabbed{--o-tabs:0rem}.o-logo{flex:none;margin-inline-end:var(--o-space-3);order:-2}.o-bar>.o-sections{order:-1;flex:1 1 0;min-width:0}.o-sections>ul{height:var(--o-header)}}";

/** The themes that `theme` in docs.json can select. Each theme is a variation of the same design. */
export const themes: Record<string, ThemeStyle> = {
  mint: {},
  maple: { tokens: { ...sidebarSurface, radius: ".625rem", "radius-lg": ".875rem" } },
  palm: {
    tokens: { ...sidebarSurface, "header-bg": "var(--o-surface)", "radius-sm": ".25rem", radius: ".375rem", "weight-heading": "600" },
    rules: tabsInBar,
  },
  willow: {
    tokens: { "weight-heading": "550", content: "43rem", "radius-sm": ".5rem", radius: ".625rem" },
    rules: "#navbar{border-color:transparent}.o-tree a[aria-current]::before{width:2px}",
  },
  linden: {
    tokens: {
      "font-heading": "var(--o-font-mono)",
      "tracking-heading": "-.03em",
      "weight-heading": "600",
      "radius-sm": "0rem",
      radius: "0rem",
      "radius-lg": ".125rem",
      "radius-full": ".125rem",
    },
    rules: `${tabsInBar}.o-shell{border-inline:1px solid var(--o-border)}`,
  },
  almond: {
    tokens: { ...sidebarSurface, "sidebar-line": "transparent", "header-bg": "var(--o-surface)", "radius-lg": "1rem" },
    rules:
      "#navbar{border-color:transparent}.o-shell{background:var(--o-surface)}#content-area{background:var(--o-bg)}@media(min-width:48rem){[data-page=default] #content-area,[data-page=wide] #content-area{border:1px solid var(--o-border);border-width:1px 0 0 1px;border-start-start-radius:var(--o-radius-lg)}}",
  },
  aspen: { tokens: { "sidebar-line": "var(--o-border)", page: "100%", "weight-heading": "600", header: "3.5rem" }, rules: tabsInBar },
  sequoia: {
    tokens: {
      "sidebar-line": "var(--o-border)",
      page: "100%",
      content: "47.5rem",
      "radius-sm": ".25rem",
      radius: ".25rem",
      "radius-lg": ".375rem",
      "weight-heading": "700",
    },
  },
  luma: {
    tokens: { "radius-sm": ".625rem", radius: ".75rem", "radius-lg": "1.125rem", "weight-heading": "600" },
    rules:
      "#navbar{border-color:transparent}.o-primary{border-radius:var(--o-radius-full)}.o-sections>ul>li>[aria-current]::before,.o-sections .o-current>summary::before{inset-inline:0;height:3px;border-radius:3px 3px 0 0}",
  },
};
