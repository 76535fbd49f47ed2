import type { LinkedPage } from "../../storage/linked-pages.ts";

/**
 * A page's title as a link to the live site, above its path. Links the path if the title is unknown. Shows
 * only the path if `page` is undefined.
 */
export function PageLink({ path, page }: { path: string; page: LinkedPage | undefined }) {
  if (!page) return <code class="d-page-path">{path}</code>;
  return (
    <span class="d-page-link">
      <a href={page.url} rel="noreferrer">
        {page.title ?? path}
      </a>
      {page.title !== undefined && <code class="d-under">{path}</code>}
    </span>
  );
}
