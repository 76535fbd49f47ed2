import { paramIdOf } from "../../engine/html/anchor-ids.ts";
import { all } from "../dom.ts";
import { unfold } from "./cuts.ts";

/** Links to a field by its bare name, or into a schema that is still cut off. What is on the page, the page's own script opens. */
export function startDeepLinks(): void {
  const follow = () => void open(decoded(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
}

async function open(wanted: string): Promise<void> {
  if (wanted === "" || document.getElementById(wanted)) return;
  const id = wanted.startsWith("param-") ? wanted : paramIdOf(wanted);
  for (let cut = cutAbove(id); !document.getElementById(id) && cut; cut = cutAbove(id)) {
    try {
      await unfold(cut);
    } catch {
      return;
    }
  }
  const target = document.getElementById(id);
  if (!target) return;
  // By the address, not by its history: so the field becomes the page's target, with the look of one.
  location.replace(`#${encodeURI(id)}`);
  dispatchEvent(new Event("hashchange"));
  target.scrollIntoView();
}

/** The cut in the deepest field on the way to the wanted one. */
function cutAbove(id: string): HTMLAnchorElement | undefined {
  const above = all<HTMLAnchorElement>("a.o-cut").map((cut) => ({ cut, owner: cut.closest(".o-field")?.id ?? "" }));
  return above.filter(({ owner }) => owner !== "" && id.startsWith(`${owner}-`)).sort((a, b) => b.owner.length - a.owner.length)[0]?.cut;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
