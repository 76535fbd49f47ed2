import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Report } from "../../base/problem.ts";
import type { CustomGrammars } from "../highlight/custom-grammars.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { IconLibrary } from "./icons.ts";

/** Highlighted lines by language and code. Known code needs no grammar, and grammars are slow to load. */
export type HighlightedCode = Record<string, string[]>;

/** Context of the components of a page: settings of the site, and the function that reports problems. */
export interface RenderContext {
  messages: SiteMessages;
  iconLibrary: IconLibrary;
  /** Named color themes for code. Default: the colors of the site. */
  codeThemes?: CodeThemes;
  /** Grammars of the site's folder. */
  grammars?: CustomGrammars;
  /** Highlighted lines of an earlier build, and of this one, by `highlightKey`. */
  highlighted?: { cached: HighlightedCode; added: HighlightedCode };
  /** The page's file, for problems. */
  file: string;
  report?: Report;
}

const Shared = createContext<RenderContext | undefined>(undefined);

export const RenderContextProvider = Shared.Provider;

export function useRenderContext(): RenderContext {
  const context = useContext(Shared);
  if (!context) throw new Error("A component was rendered outside renderContent.");
  return context;
}
