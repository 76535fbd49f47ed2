import { percentDecoded } from "../../base/url.ts";
import { paramIdOf } from "../../engine/html/anchor-ids.ts";
import { all } from "../dom.ts";
import { expand } from "./lazy-schemas.ts";

/** Follows links to fields: by the field's name, and to fields in a schema that isn't loaded yet. */
export function startDeepLinks(): void {
  const follow = () => void open(percentDecoded(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
}

async function open(requested: string): Promise<void> {
  if (requested === "" || document.getElementById(requested)) return;
  const id = requested.startsWith("param-") ? requested : paramIdOf(requested);
  for (let cut = cutAbove(id); !document.getElementById(id) && cut; cut = cutAbove(id)) {
    try {
      await expand(cut);
    } catch {
      return;
    }
  }

  const target = document.getElementById(id);
  if (!target) return;

  // `history.replaceState` isn't used, because only a navigation makes the field the `:target`.
  location.replace(`#${encodeURI(id)}`);
  dispatchEvent(new Event("hashchange"));
  target.scrollIntoView();
}

/**
 * Returns the link that loads a missing schema, from the deepest existing field above the requested field.
 * Undefined if there is none.
 */
function cutAbove(id: string): HTMLAnchorElement | undefined {
  const above = all<HTMLAnchorElement>("a.o-cut").map((cut) => ({
    cut,
    owner: cut.closest(".o-field")?.id ?? "",
  }));
  return above
    .filter(({ owner }) => owner !== "" && id.startsWith(`${owner}-`))
    .sort((a, b) => b.owner.length - a.owner.length)[0]?.cut;
}
