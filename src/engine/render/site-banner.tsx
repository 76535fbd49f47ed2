import type { PageView } from "./page-view.ts";
import { groundForWhite } from "./palette.ts";

/** The strip above the header. A dismissed one is hidden before first paint (theme-init.ts). */
export function Banner({ view: { banner, messages } }: { view: PageView }) {
  if (!banner) return null;
  const light = banner.color && groundForWhite(banner.color.light);
  const dark = banner.color && groundForWhite(banner.color.dark);
  const color = light && `--o-banner:${light};--o-banner-dark:${dark ?? light}`;
  return (
    <section id="banner" aria-label={messages.announcement} class={`o-banner-${banner.type}`} style={color}>
      <div dangerouslySetInnerHTML={{ __html: banner.html }} />
      {banner.dismissible && (
        <button type="button" class="o-js" aria-label={messages.dismiss} data-dismiss={banner.id}>
          <i class="o-c o-c-x" />
        </button>
      )}
    </section>
  );
}
