import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Report } from "../../base/problem.ts";
import type { IconLibrary } from "../config/icon-schema.ts";
import type { CustomGrammars } from "../highlight/custom-grammars.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import type { ConstraintMessages, SiteMessages } from "../i18n/messages.ts";

/** HTML of highlighted lines, by `highlightKey`. */
export type HighlightedCode = Record<string, string[]>;

/** Context for rendering the components of a page. */
export interface RenderContext {
  messages: SiteMessages;
  constraints: ConstraintMessages;
  iconLibrary: IconLibrary;
  /** Named color themes for code. Default: the colors of the site. */
  codeThemes?: CodeThemes;
  /** Grammars in the site's folder. */
  grammars?: CustomGrammars;
  /** Messages about diagrams that can't be drawn, by their source. */
  diagramErrors?: ReadonlyMap<string, string>;
  /** `cached`: lines from an earlier build. `added`: lines that this page uses. */
  highlighted?: { cached: HighlightedCode; added: HighlightedCode };
  /**
   * Returns the size of an image in the site's folder in pixels, by path. Undefined if the size is unknown,
   * null if the file is missing.
   */
  imageSize?(path: string): { width: number; height: number } | undefined | null;
  /** The page's file, for problem reports. Empty for a page without a file. */
  file: string;
  report?: Report;
}

let current: RenderContext | undefined;

/**
 * Renders a tree as HTML. Its components can use the context. Rendering is synchronous, so a variable is
 * enough. A Preact provider would keep the tree in memory until V8's next full garbage collection.
 */
export function renderWithContext(context: RenderContext, tree: VNode): string {
  const outer = current;
  current = context;
  try {
    return renderToString(tree);
  } finally {
    current = outer;
  }
}

/** Returns the context of the tree that is being rendered. Throws if called outside `renderWithContext`. */
export function useRenderContext(): RenderContext {
  if (!current) throw new Error("A component was rendered outside renderWithContext.");
  return current;
}
