import { address, isExternal, linkProps, safeColor } from "../safe-attributes.ts";
import { calloutKind } from "./callouts.tsx";
import { IconImage } from "./icon.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { count, flag, shown, text, textBelow } from "./prop-values.ts";

/** A card; with `href` the whole of it is the link, while links inside keep working. */
export function Card(props: AuthorProps) {
  const { href, horizontal, img, cta, arrow, color, children } = props;
  const link = linkProps(href);
  const kind = calloutKind(props.type);
  const title = shown(props.title);
  const picture = text(img) && address(text(img)!, "image");
  const accent = safeColor(color);
  const away = link.href !== undefined && isExternal(link.href);
  const classes = [
    "o-card",
    flag(horizontal) && "o-card-row",
    link.href && "o-card-linked",
    kind && `o-callout-${kind}`,
    text(props.className),
  ];
  const label = title ? undefined : (text(cta) ?? (textBelow(children).trim().slice(0, 80) || text(href)));
  return (
    <div class={classes.filter(Boolean).join(" ")} style={accent && `--o-card:${accent}`}>
      {picture ? <img class="o-card-image" src={picture} alt={text(props.alt) ?? ""} loading="lazy" decoding="async" /> : null}
      <div class="o-card-body">
        {text(props.icon) ? (
          <span class="o-card-icon">
            <IconImage value={text(props.icon)} type={text(props.iconType)} />
          </span>
        ) : null}
        <div class="o-card-text o-flow">
          {title || link.href ? (
            <p class="o-card-title">
              {link.href ? (
                <a {...link} aria-label={label}>
                  {title}
                </a>
              ) : (
                title
              )}
              {link.href && flag(arrow, away) ? <span class="o-card-arrow" aria-hidden="true" /> : null}
            </p>
          ) : null}
          {shown(props.description) ? <p>{shown(props.description)}</p> : null}
          {children}
          {shown(cta) ? (
            <p class="o-card-cta" aria-hidden={link.href ? "true" : undefined}>
              {shown(cta)}
            </p>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** A grid that falls back to fewer columns where there is no room. */
export function Columns({ cols, columns, className, children }: AuthorProps) {
  const number = count(cols ?? columns, 2, 1, 4);
  return (
    <div class={["o-cols", text(className)].filter(Boolean).join(" ")} style={`--cols:${number}`}>
      {children}
    </div>
  );
}

/** A cell of Columns with any content. */
export function Column({ children }: AuthorProps) {
  return <div class="o-column o-flow">{children}</div>;
}

/** A preview on a patterned ground, with its title below. */
export function Tile({ href, title, description, children }: AuthorProps) {
  const link = linkProps(href);
  return (
    <a class="o-tile" {...link}>
      <span class="o-tile-preview">{children}</span>
      {shown(title) ? <span class="o-tile-title">{shown(title)}</span> : null}
      {shown(description) ? <span class="o-tile-description">{shown(description)}</span> : null}
    </a>
  );
}

/** A repository as a plain link: a static site asks no other host for its figures. */
export function GitHubRepo({ repo, variant, className }: AuthorProps) {
  const slug = (text(repo) ?? "").replace(/^(?:https?:\/\/)?(?:www\.)?github\.com\//, "").replace(/(?:\.git)?\/*$/, "");
  if (!/^[\w.-]+\/[\w.-]+$/.test(slug)) return null;
  const [owner, name] = slug.split("/");
  const classes = ["o-repo", text(variant) === "flat" && "o-repo-flat", text(className)].filter(Boolean).join(" ");
  return (
    <a class={classes} {...linkProps(`https://github.com/${slug}`)}>
      <IconImage value="github" type="brands" />
      <span>
        {owner}/<strong>{name}</strong>
      </span>
    </a>
  );
}
