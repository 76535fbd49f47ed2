import { frameId } from "./frame-ids.ts";
import type { PageView } from "./page-view.ts";
import { backgroundForWhite } from "./palette.ts";

/** The banner above the header. A dismissed banner is hidden before the first paint (init-scripts.ts). */
export function Banner({ view }: { view: PageView }) {
  const { banner, messages } = view;
  if (!banner) return null;
  const light = banner.color && backgroundForWhite(banner.color.light);
  const dark = banner.color && backgroundForWhite(banner.color.dark);
  const color = light && `--o-banner:${light};--o-banner-dark:${dark ?? light}`;
  return (
    <section
      id={frameId(view, "banner")}
      aria-label={messages.announcement}
      class={`o-banner-${banner.type}`}
      style={color}
    >
      <div dangerouslySetInnerHTML={{ __html: banner.html }} />
      {banner.dismissible && (
        <button type="button" class="o-js" aria-label={messages.dismiss} data-dismiss={banner.id}>
          <i class="o-c o-c-x" />
        </button>
      )}
    </section>
  );
}
