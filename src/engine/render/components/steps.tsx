import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useRenderContext } from "../render-context.ts";
import { IconImage } from "./icon.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { count, shown, text } from "./prop-values.ts";

type TitleSize = "p" | "h2" | "h3" | "h4";

const TitleSizeContext = createContext<TitleSize>("p");

function titleSize(value: unknown): TitleSize | undefined {
  const size = text(value);
  return size === "p" || size === "h2" || size === "h3" || size === "h4" ? size : undefined;
}

/** Numbered steps on a line. */
export function Steps({ titleSize: size, title, children }: AuthorProps) {
  return (
    <TitleSizeContext.Provider value={titleSize(size) ?? "p"}>
      {shown(title) ? <p class="o-group-title">{shown(title)}</p> : null}
      <div class="o-steps" role="list">
        {children}
      </div>
    </TitleSizeContext.Provider>
  );
}

/** One step; `stepNumber` changes its number and those after it. */
export function Step({ title, stepNumber, titleSize: size, id, icon, iconType, children }: AuthorProps) {
  const { strings } = useRenderContext();
  const Title = titleSize(size) ?? useContext(TitleSizeContext);
  const anchor = text(id);
  const number = stepNumber === undefined ? undefined : count(stepNumber, 1, 0, 9_999);
  return (
    <div class="o-step" role="listitem" id={anchor} style={number === undefined ? undefined : `counter-set:o-step ${number}`}>
      <span class={text(icon) ? "o-step-mark o-step-icon" : "o-step-mark"} aria-hidden="true">
        <IconImage value={text(icon)} type={text(iconType)} />
      </span>
      {shown(title) ? (
        <Title class="o-step-title">
          {shown(title)}
          {anchor ? <a class="o-anchor" href={`#${anchor}`} aria-label={strings.linkToSection} /> : null}
        </Title>
      ) : null}
      <div class="o-step-body o-flow">{children}</div>
    </div>
  );
}
