import { slugOf } from "../html/anchor-ids.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { count, flag, shown, text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";
import { titledMarkdown } from "./titled-block.ts";

function titleSize(value: unknown): "p" | "h2" | "h3" | "h4" | undefined {
  const size = text(value);
  return size === "p" || size === "h2" || size === "h3" || size === "h4" ? size : undefined;
}

/** A list of numbered steps. */
function Steps({ title, children }: AuthorProps) {
  return (
    <>
      {shown(title) ? <p class="o-group-title">{shown(title)}</p> : null}
      <div class="o-steps steps" role="list">
        {children}
      </div>
    </>
  );
}

/** One step. `stepNumber` changes the number of this step and the steps after it. */
function Step({ title, stepNumber, titleSize: size, id, icon, iconType, children }: AuthorProps) {
  const { messages } = useRenderContext();
  const Title = titleSize(size) ?? "p";
  const anchor = text(id);
  const number = stepNumber === undefined ? undefined : count(stepNumber, 1, 0, 9_999);
  return (
    <div
      class="o-step step"
      role="listitem"
      id={anchor}
      style={number === undefined ? undefined : `counter-set:o-step ${number}`}
    >
      <span class={text(icon) ? "o-step-mark o-step-icon" : "o-step-mark"} aria-hidden="true">
        <IconImage value={text(icon)} type={text(iconType)} />
      </span>
      {shown(title) ? (
        <Title class="o-step-title">
          {shown(title)}
          {anchor ? <a class="o-anchor" href={`#${anchor}`} aria-label={messages.linkToSection} /> : null}
        </Title>
      ) : null}
      <div class="o-step-body o-flow">{children}</div>
    </div>
  );
}

export const steps: ComponentDefinition = {
  render: Steps,
  props: "title titleSize",
  inside: ({ props }) => ({ stepSize: titleSize(props.titleSize) ?? "p" }),
  anchors: {
    inside: ({ props }, around) => ({ ...around, stepSize: text(props.titleSize) ?? "p", topLevel: false }),
  },
  markdown: {
    block({ props, children }, writer, depth) {
      const size = /^h[2-4]$/.exec(text(props.titleSize) ?? "")?.[0];
      const level = "#".repeat(size ? Number(size.slice(1)) : 3);
      let number = 0;
      const parts = children.map((child) => {
        if (typeof child === "string" || child.name !== "Step") return writer.blocks([child], depth);
        const { stepNumber } = child.props;
        number = stepNumber === undefined ? number + 1 : count(stepNumber, 1, 0, 9_999);
        const head = `${level} ${number}. ${text(child.props.title) ?? ""}`.trimEnd();
        return writer.section(
          child,
          [head, writer.blocks(child.children, depth + 1)].filter(Boolean).join("\n\n"),
        );
      });

      return parts.filter((part) => part.trim() !== "").join("\n\n");
    },
  },
};

export const step: ComponentDefinition = {
  render: Step,
  props: "title stepNumber titleSize noAnchor icon iconType",
  requiredProps: ["title"],
  canHaveContentInstead: true,
  wrapsText: true,
  derivedProps: ({ props }, { around }) => ({ titleSize: titleSize(props.titleSize) ?? around.stepSize }),
  anchors: {
    idOfHeading({ props }, toc, around) {
      const title = text(props.title);
      if (flag(props.noAnchor)) return undefined;
      const preferred = text(props.id) ?? (toc.isAutomatic && title ? slugOf(title) : undefined);
      if (preferred === undefined) return undefined;
      const id = toc.claim(preferred);
      const size = text(props.titleSize) ?? around.stepSize;
      if (around.toc && title && (size === "h2" || size === "h3"))
        toc.add(id, title, Number(size.slice(1)), around);
      return id;
    },
  },
  markdown: { block: titledMarkdown },
};
