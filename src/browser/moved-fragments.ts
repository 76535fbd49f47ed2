/** Sends a reader on who arrives at a fragment that docs.json redirects: servers never see fragments. */
export function startMovedFragments(): void {
  const listed = document.getElementById("o-moved")?.textContent;
  if (!listed) return;
  const moved = new Map(Object.entries(JSON.parse(listed) as Record<string, string>));
  const follow = () => {
    const fragment = decoded(location.hash.slice(1));
    const destination = moved.get(fragment);
    if (destination === undefined) return;
    // Once each: redirects on one page may lead to one another.
    moved.delete(fragment);
    location.replace(destination);
  };
  addEventListener("hashchange", follow);
  follow();
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
