/** Plans the script that shows the assistant on other websites, if docs.json lists these websites. */

import { assetPath, widgetPath } from "../../layout/site-layout.ts";
import { palettes } from "../frame/palette.ts";
import { themeOf } from "../frame/themes.ts";
import type { WidgetLanguage, WidgetSite } from "../frame/widget-site.ts";
import { hashOf } from "../hash-of.ts";
import { direction, messagesOf } from "../i18n/locales.ts";
import type { Site } from "../site/build-site.ts";
import { operatorPath } from "../site/features.ts";
import type { AssetNames } from "./assets.ts";
import { type AddFile, type ExportTarget, hasAssistant, type ProductAssets } from "./export-target.ts";
import { supportLink } from "./support-link.ts";

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
    ...supportLink(settings.assistant),
    language: site.languageOf(""),
    languages: Object.fromEntries(
      [...dialogs.messages].map(([language, messages]) => [language, { ...labelsOf(language), messages }]),
    ),
  };

  const script = new TextDecoder().decode(product.read("widget.js"));
  add(widgetPath, () => `{const octavoWidgetSite=${JSON.stringify(data)};${script}}\n`, "anyone");
}

function labelsOf(language: string): Omit<WidgetLanguage, "messages"> {
  const { askAssistant: label, loadFailed: failed } = messagesOf(language).site;
  return { label, failed, direction: direction(language) };
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
