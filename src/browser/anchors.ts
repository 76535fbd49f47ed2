import { announce, copyText, onClick } from "./dom.ts";

/** A heading's own link goes there and is copied on the way. */
export function startAnchors(): void {
  onClick(".o-anchor", async (anchor) => {
    if (!(await copyText((anchor as HTMLAnchorElement).href))) return;
    announce(document.body.dataset.copied);
    anchor.dataset.done = "";
    setTimeout(() => delete anchor.dataset.done, 1600);
  });
}
