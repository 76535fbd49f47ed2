import { useRenderContext } from "../render-context.ts";
import { IconImage } from "./icon.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { shown, text, texts } from "./prop-values.ts";

/** An entry of a changelog. */
export function Update({ label, description, date, tags, id, children }: AuthorProps) {
  const { strings } = useRenderContext();
  const anchor = text(id);
  const names = texts(tags);
  return (
    <section class="o-update" id={anchor} data-tags={names.length > 0 ? names.join(",") : undefined}>
      <div class="o-update-head">
        <h2 class="o-update-label">
          {shown(label)}
          {anchor ? <a class="o-anchor" href={`#${anchor}`} aria-label={strings.linkToSection} /> : null}
        </h2>
        {(shown(description) ?? shown(date)) ? <p class="o-update-description">{shown(description) ?? shown(date)}</p> : null}
        {names.length > 0 ? (
          <p class="o-update-tags">
            {names.map((name) => (
              <span key={name} class="o-badge o-badge-gray">
                {name}
              </span>
            ))}
          </p>
        ) : null}
      </div>
      <div class="o-update-body o-flow">{children}</div>
    </section>
  );
}

/** One of a page's views. The page's switch shows one; without script all stand below their titles. */
export function View({ title, id, icon, iconType, children }: AuthorProps) {
  return (
    <div class="o-view o-flow" id={text(id)} data-view={text(title)}>
      <p class="o-view-title">
        <IconImage value={text(icon)} type={text(iconType)} />
        {shown(title)}
      </p>
      {children}
    </div>
  );
}
