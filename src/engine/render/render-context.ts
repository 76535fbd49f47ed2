import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Report } from "../../base/problem.ts";
import type { CodeThemes } from "./highlight.ts";
import type { IconLibrary } from "./icons.ts";
import type { OwnGrammars } from "./own-grammars.ts";
import type { Strings } from "./strings.ts";

/** What the components of a page share: the site's choices, and where problems go. */
export interface RenderContext {
  strings: Strings;
  iconLibrary: IconLibrary;
  /** Named colour themes for code; without them code has the site's own colours. */
  codeThemes?: CodeThemes;
  /** Languages that the site brings along. */
  grammars?: OwnGrammars;
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
