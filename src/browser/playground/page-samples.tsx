/** Updates the code samples on the page with the reader's input. */

import { render } from "preact";
import type { HttpRequest } from "../../engine/openapi/request.ts";
import { languageOf } from "../../engine/openapi/samples/sample-languages.ts";
import { all } from "../dom.ts";
import { PaintedCode } from "./painted-code.tsx";

/** Elements that Preact has rendered. */
const rendered = new WeakSet<HTMLElement>();

export function updatePageSamples(request: HttpRequest): void {
  for (const sample of all("[data-sample]")) {
    const language = languageOf(sample.dataset.sample ?? "");
    const code = sample.querySelector("code") ?? sample;
    if (!language) continue;
    if (!rendered.has(code)) code.replaceChildren();
    rendered.add(code);
    render(<PaintedCode language={language.syntax} text={language.sample(request)} />, code);
  }
}
