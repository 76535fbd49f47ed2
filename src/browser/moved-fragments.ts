/** Redirects readers who arrive at a fragment that docs.json redirects: servers never see fragments. */
export function startMovedFragments(): void {
  const listed = document.getElementById("o-moved")?.textContent;
  if (!listed) return;
  /** Destinations by `location.hash`. */
  const moved = JSON.parse(listed) as Record<string, string>;
  const follow = () => {
    const { hash } = location;
    const destination = moved[hash];
    if (!destination) return;
    // Once each: redirects on one page may lead to one another.
    delete moved[hash];
    location.replace(destination);
  };
  addEventListener("hashchange", follow);
  follow();
}
