import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Report } from "../../base/problem.ts";
import type { OwnGrammars } from "../highlight/custom-grammars.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { IconLibrary } from "./icons.ts";

/** Highlighted lines by language and code. What is known needs no grammar, and grammars are slow to load. */
export type PaintedCode = Record<string, string[]>;

/** What the components of a page share: the site's choices, and where problems go. */
export interface RenderContext {
  strings: SiteMessages;
  iconLibrary: IconLibrary;
  /** Named colour themes for code; without them code has the site's own colours. */
  codeThemes?: CodeThemes;
  /** Languages that the site brings along. */
  grammars?: OwnGrammars;
  /** Lines of code blocks that were painted in an earlier build, and those of this one, by `paintedKey`. */
  painted?: { known: PaintedCode; made: PaintedCode };
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
