import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { RenderContextProvider } from "../../html/render-context.ts";
import type { ReferenceContext } from "./reference-context.ts";

/** Renders a part of a reference page as HTML. */
export function printHtml(context: ReferenceContext, node: VNode): string {
  return renderToString(<RenderContextProvider value={context.render}>{node}</RenderContextProvider>);
}
