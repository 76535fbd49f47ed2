import { announce } from "./announce.ts";
import { copyText } from "./clipboard.ts";
import { onClick } from "./dom.ts";

/** Copies the URL of a heading or field when its anchor link is clicked. */
export function startAnchors(): void {
  onClick(".o-anchor, a.o-field-name", async (anchor) => {
    if (!(await copyText((anchor as HTMLAnchorElement).href))) return;
    announce(document.body.dataset.copied);
    anchor.dataset.done = "";
    setTimeout(() => delete anchor.dataset.done, 1600);
  });
}
