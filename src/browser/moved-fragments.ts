/** Follows the redirects of docs.json whose source has a fragment: servers don't receive fragments. */
export function startMovedFragments(): void {
  const listed = document.getElementById("o-moved")?.textContent;
  if (!listed) return;
  /** Destinations by `location.hash`. */
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
