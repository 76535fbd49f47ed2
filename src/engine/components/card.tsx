import type { PropValue } from "../content.ts";
import { imageDimensions } from "../html/image-dimensions.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, shown, text, textBelow } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { isExternal, linkProps, safeColor, safeUrl } from "../html/safe-attributes.ts";
import { indent, indentAll } from "../write-markdown.ts";
import { calloutKind } from "./callouts.tsx";
import type { ComponentDefinition, MarkdownRules } from "./component.ts";
import { IconImage } from "./icon-image.tsx";
import { propMarkdown } from "./prop-markdown.ts";

/** A card. With `href`, the whole card is a link. Links inside the card still work. */
function Card(props: AuthorProps) {
  const { href, horizontal, img, cta, arrow, color, children } = props;
  const link = linkProps(href);
  const kind = calloutKind(props.type);
  const title = shown(props.title);
  const picture = text(img) && safeUrl(text(img)!, "image");
  const size = picture ? imageDimensions({ src: picture }, useRenderContext()) : {};
  const accent = safeColor(color);
  const isOutside = link.href !== undefined && isExternal(link.href);

  const classes = [
    "o-card card",
    flag(horizontal) && "o-card-row",
    link.href && "o-card-linked",
    kind && `o-callout-${kind}`,
    text(props.className),
  ];

  const label = title ? undefined : (text(cta) ?? (textBelow(children).trim().slice(0, 80) || text(href)));
  return (
    <div class={classes.filter(Boolean).join(" ")} style={accent && `--o-card:${accent}`}>
      {picture ? (
        <img
          class="o-card-image"
          src={picture}
          {...size}
          alt={text(props.alt) ?? ""}
          loading="lazy"
          decoding="async"
        />
      ) : null}
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
              {link.href && flag(arrow, isOutside) ? <span class="o-card-arrow" aria-hidden="true" /> : null}
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

/**
 * Markdown of a card: a list item that starts with the card's link, title or `cta`. A card without `href`,
 * `title` and `cta` is written as its description and content only.
 */
export const cardMarkdown: MarkdownRules = {
  block({ props, children }, writer, depth) {
    const { href, title, description, cta } = props;
    const body = writer.blocks(children, depth);
    const written = (value: PropValue) => propMarkdown(value, writer, depth);
    const action = written(title) && written(cta);
    const picture =
      text(props.img) && text(props.alt) ? `![${text(props.alt)}](${writer.url(text(props.img)!)})` : "";
    const about = [[picture, written(description), body].filter(Boolean).join(" "), action]
      .filter(Boolean)
      .join(body.includes("\n") ? "\n\n" : " ");
    const label = written(title) ?? written(cta) ?? text(href) ?? "";
    const head = text(href) ? `[${label}](${writer.url(text(href)!)})` : label && `**${label}**`;
    if (!head) return [written(description), body].filter(Boolean).join("\n\n");

    const separate = about.includes("\n\n") || /^(?:[-#>|]|```)/.test(about);
    return `- ${head}${about ? (separate ? `\n\n${indentAll(about, "  ")}` : `: ${indent(about, "  ")}`) : ""}`;
  },
};

export const card: ComponentDefinition = {
  render: Card,
  props: "title type color href horizontal img alt cta arrow description icon iconType",
  wrapsText: true,
  markdown: cardMarkdown,
};
