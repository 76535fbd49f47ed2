/** Where a page's playground finds its files. The page says so in `<script type="application/json" id="o-reference">`; addresses are relative to it. */
import type { PlaygroundLinks } from "../../engine/render/page-view.ts";

export type Places = PlaygroundLinks;

/** Absent on a page without a playground. */
export function readPlaces(): Places | undefined {
  const text = document.getElementById("o-reference")?.textContent;
  return text ? (JSON.parse(text) as Places) : undefined;
}
