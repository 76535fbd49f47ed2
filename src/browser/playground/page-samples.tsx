/** The samples on the page behind the panel say what the reader typed, too. */
import { render } from "preact";
import type { HttpRequest } from "../../engine/openapi/request.ts";
import { languageOf } from "../../engine/openapi/samples/sample-languages.ts";
import { all } from "../dom.ts";
import { PaintedCode } from "./painted-code.tsx";

const ours = new WeakSet<HTMLElement>();

export function updatePageSamples(request: HttpRequest): void {
  for (const place of all("[data-sample]")) {
    const language = languageOf(place.dataset.sample ?? "");
    const code = place.querySelector("code") ?? place;
    if (!language) continue;
    if (!ours.has(code)) code.replaceChildren();
    ours.add(code);
    render(<PaintedCode language={language.syntax} text={language.sample(request)} />, code);
  }
}
