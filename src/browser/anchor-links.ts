import { announce, copyText, onClick } from "./dom.ts";

/** The own link of a heading or a field goes there and is copied on the way. */
export function startAnchors(): void {
  onClick(".o-anchor, a.o-field-name", async (anchor) => {
    if (!(await copyText((anchor as HTMLAnchorElement).href))) return;
    announce(document.body.dataset.copied);
    anchor.dataset.done = "";
    setTimeout(() => delete anchor.dataset.done, 1600);
  });
}
