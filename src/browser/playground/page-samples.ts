/** The samples on the page behind the panel say what the reader typed, too. */
import type { HttpRequest } from "../../engine/openapi/request.ts";
import { languageOf } from "../../engine/openapi/samples/sample-languages.ts";
import { all } from "../dom.ts";

export function updatePageSamples(request: HttpRequest): void {
  for (const place of all("[data-sample]")) {
    const language = languageOf(place.dataset.sample ?? "");
    if (language) (place.querySelector("code") ?? place).textContent = language.sample(request);
  }
}
