import { all, announce } from "../dom.ts";

const pause_ms = 1_000;

/** Parts of the page that are not final yet are asked for again, until they are. */
export function startLive(): void {
  const isWaiting = () => all("[data-live]").length > 0;
  const look = async () => {
    // Nobody looks at a page in the background.
    if (!document.hidden) {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
      // Signed out meanwhile, or gone: the page says so when it is loaded anew.
      if (answer?.redirected || answer?.status === 404) return location.reload();
      if (answer?.ok) replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
    if (isWaiting()) setTimeout(look, pause_ms);
  };
  if (isWaiting()) setTimeout(look, pause_ms);
}

function replace(page: Document): void {
  for (const part of all("[data-live]")) {
    const fresh = page.getElementById(part.id);
    // What has not changed keeps its focus.
    if (!fresh || fresh.outerHTML === part.outerHTML) continue;
    if (fresh.dataset.state !== part.dataset.state) announce(fresh.dataset.state ?? "");
    part.replaceWith(document.adoptNode(fresh));
  }
}
