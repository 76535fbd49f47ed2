import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Report } from "../../base/problem.ts";
import type { CustomGrammars } from "../highlight/custom-grammars.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { IconLibrary } from "./icons.ts";

/** HTML of highlighted lines, by `highlightKey`. */
export type HighlightedCode = Record<string, string[]>;

/** Context for rendering the components of a page. */
export interface RenderContext {
  messages: SiteMessages;
  iconLibrary: IconLibrary;
  /** Named color themes for code. Default: the colors of the site. */
  codeThemes?: CodeThemes;
  /** Grammars in the site's folder. */
  grammars?: CustomGrammars;
  /** `cached`: lines from an earlier build. `added`: lines that this page uses. */
  highlighted?: { cached: HighlightedCode; added: HighlightedCode };
  /**
   * Returns the size of an image in the site's folder in pixels, by path. Undefined if the size is unknown, null if the file is missing.
   */
  imageSize?(path: string): { width: number; height: number } | undefined | null;
  /** The page's file, for problem reports. Empty for a page without a file. */
  file: string;
  report?: Report;
}

const Shared = createContext<RenderContext | undefined>(undefined);

export const RenderContextProvider = Shared.Provider;

/** Returns the context of the page that is being rendered. Throws if called outside `RenderContextProvider`. */
export function useRenderContext(): RenderContext {
  const context = useContext(Shared);
  if (!context) throw new Error("A component was rendered outside renderContent.");
  return context;
}
