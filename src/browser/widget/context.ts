/** Describes the widget to its panel, which is a separate script. */

import type { WidgetSite } from "../../engine/frame/widget-site.ts";

export interface WidgetContext {
  site: WidgetSite;
  /** URL of the documentation site's root, with a trailing slash. */
  base: string;
  language: string;
  /** Version of the documentation to answer from. Undefined for all versions. */
  version: string | undefined;
  /** Questions to suggest. */
  questions: readonly string[];
  /** Whether answers have feedback buttons. */
  hasFeedback: boolean;
  /** Root of the shadow tree that contains the panel. */
  root: ShadowRoot;
  /** Called with each question that is sent. */
  onAsk(): void;
  /** Called when the panel was closed. */
  onClose(): void;
}

/** The panel of the widget. */
export interface WidgetPanel {
  /** Opens the panel and focuses its text field. Sends the question, if there is one. */
  open(question?: string): void;
  close(): void;
}

let current: WidgetContext;

export function setWidgetContext(context: WidgetContext): void {
  current = context;
}

export function widgetContext(): WidgetContext {
  return current;
}
