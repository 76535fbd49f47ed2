/**
 * Follows redirects in docs.json whose source has a fragment. Servers can't follow them, since browsers don't
 * send fragments.
 */
export function startMovedFragments(): void {
  const listed = document.getElementById("oMoved")?.textContent;
  if (!listed) return;

  /** Destination URLs by `location.hash`. */
  const moved = JSON.parse(listed) as Record<string, string>;
  const follow = () => {
    const { hash } = location;
    const destination = moved[hash];
    if (!destination) return;
    // Each redirect is used once, because redirects within a page could loop.
    delete moved[hash];
    location.replace(destination);
  };

  addEventListener("hashchange", follow);
  follow();
}
