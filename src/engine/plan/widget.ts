/** Plans the script that shows the assistant on other websites, if docs.json lists these websites. */

import { assetPath, widgetPath } from "../../layout/site-layout.ts";
import { palettes } from "../frame/palette.ts";
import { themeOf } from "../frame/themes.ts";
import { hashOf } from "../hash-of.ts";
import { messagesOf } from "../i18n/locales.ts";
import type { Site } from "../site/build-site.ts";
import { operatorPath } from "../site/features.ts";
import type { AssetNames } from "./assets.ts";
import {
  type AddFile,
  type ExportTarget,
  hasAssistant,
  type ProductAssets,
} from "./export-target.ts";

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
  /** Link to support. */
  support?: string;
  /** Default language. */
  language: string;
  /** By language: the label of the button that opens the panel, and the script with the other messages. */
  languages: Record<string, { label: string; messages: string }>;
}

/** Returns the origins of the websites that can show the assistant of an exported site. */
export function widgetOrigins({ config }: Site, target: ExportTarget): readonly string[] {
  return hasAssistant(target) ? (config.settings.assistant?.widget?.origins ?? []) : [];
}

export function addWidget(
  site: Site,
  target: ExportTarget,
  { dialogs }: AssetNames,
  product: ProductAssets,
  add: AddFile,
): void {
  if (widgetOrigins(site, target).length === 0) return;
  const bytes = product.read("widget-panel.js");
  const panel = assetPath("widget-panel", hashOf(bytes), "js");
  add(panel, () => bytes, "anyone");

  const { settings } = site.config;
  const data: WidgetSite = {
    operator: operatorPath,
    panel,
    css: colorsCss(site),
    linkSuffix: target.links === "html" ? ".html" : "",
    hasFeedback: settings.integrations?.telemetry?.enabled !== false,
    ...(settings.assistant?.support === undefined ? {} : { support: settings.assistant.support }),
    language: site.languageOf(""),
    languages: Object.fromEntries(
      [...dialogs.messages].map(([language, messages]) => [
        language,
        { label: messagesOf(language).site.askAssistant, messages },
      ]),
    ),
  };

  const script = new TextDecoder().decode(product.read("widget.js"));
  add(widgetPath, () => `{const octavoWidgetSite=${JSON.stringify(data)};${script}}\n`, "anyone");
}

/** Returns the site's colors for the root of a shadow tree, which has the class `dark` in dark mode. */
function colorsCss({ config }: Site): string {
  const { colors, background, theme } = config.settings;
  const { light, dark } = palettes(colors, background?.color ?? themeOf(theme).background ?? {});
  const rule = (selector: string, tokens: Record<string, string>) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, value]) => `--o-${name}:${value}`)
      .join(";")}}`;
  return rule(":host", light) + rule(":host(.dark)", dark);
}
