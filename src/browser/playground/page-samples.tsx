/** Updates the code samples on the page with the reader's input. */

import { render } from "preact";
import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import { languageOf } from "../../engine/openapi/samples/sample-languages.ts";
import { all } from "../dom.ts";
import { HighlightedText } from "../highlighted-text.tsx";

/** Elements whose code Preact has rendered. Other elements still contain the code from the page's HTML. */
const rendered = new WeakSet<HTMLElement>();

export function updatePageSamples(request: HttpRequest): void {
  for (const sample of all("[data-sample]")) {
    const language = languageOf(sample.dataset.sample ?? "");
    const code = sample.querySelector("code") ?? sample;
    if (!language) continue;
    if (!rendered.has(code)) code.replaceChildren();
    rendered.add(code);
    render(<HighlightedText language={language.syntax} text={language.sample(request)} />, code);
  }
}
