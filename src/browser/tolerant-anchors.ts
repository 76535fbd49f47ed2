import { percentDecoded } from "../base/url.ts";
import { indexIds, matchAnchor } from "../engine/html/anchor-ids.ts";
import { all } from "./dom.ts";

/**
 * Follows fragments in other spellings of an element's id, such as those of links from other sites and of
 * other platforms.
 */
export function startTolerantAnchors(): void {
  addEventListener("hashchange", follow);
  follow();
}

function follow(): void {
  const anchor = percentDecoded(location.hash.slice(1));
  if (anchor === "" || anchor === "top" || document.getElementById(anchor)) return;
  const id = matchAnchor(
    anchor,
    (candidate) => document.getElementById(candidate) !== null,
    () => indexIds(all("main [id]").map((element) => element.id)),
  );
  // `history.replaceState` isn't used, because only a navigation makes the element the `:target`.
  if (id !== undefined) location.replace(`#${encodeURI(id)}`);
}
