import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { safeColor } from "../html/safe-attributes.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { withoutMarks } from "../section-marks.ts";
import { quote } from "../write-markdown.ts";
import type { Component, ComponentDefinition, MarkdownRules } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

export type CalloutKind = "note" | "info" | "tip" | "warning" | "check" | "danger";

/** Kinds of callouts by name, including names from other platforms. */
const kinds: Record<string, CalloutKind> = {
  note: "note",
  info: "info",
  information: "info",
  important: "info",
  tip: "tip",
  hint: "tip",
  warning: "warning",
  warn: "warning",
  caution: "warning",
  check: "check",
  success: "check",
  danger: "danger",
  error: "danger",
  critical: "danger",
};

/** Returns the kind of callout with this name, ignoring case. Undefined for other values. */
export function calloutKind(word: unknown): CalloutKind | undefined {
  const name = text(word)?.toLowerCase();
  return name !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

const labels: Record<CalloutKind, keyof SiteMessages> = {
  note: "noteLabel",
  info: "infoLabel",
  tip: "tipLabel",
  warning: "warningLabel",
  check: "checkLabel",
  danger: "dangerLabel",
};

/**
 * A callout of the kind that `type` or `kind` sets, or else a plain one, with an optional color, icon or
 * emoji, and title.
 */
export function Callout(props: AuthorProps) {
  const { messages } = useRenderContext();
  const kind = calloutKind(props.type) ?? calloutKind(props.kind);
  const color = safeColor(props.color);
  const ownIcon = text(props.icon);
  const emoji = text(props.emoji);
  const title = shown(props.title);
  return (
    <div
      class={`o-callout callout o-callout-${kind ?? "plain"}`}
      role="note"
      aria-label={kind && messages[labels[kind]]}
      style={color && `--o-callout:${color}`}
    >
      {emoji && !ownIcon ? <span class="o-callout-icon">{emoji}</span> : null}
      {ownIcon ? (
        <span class="o-callout-icon">
          <IconImage value={ownIcon} type={text(props.iconType)} />
        </span>
      ) : null}
      <div class="o-callout-body o-flow">
        {title ? <p class="o-callout-title">{title}</p> : null}
        {props.children}
      </div>
    </div>
  );
}

/** Creates the component for callouts of one kind. The prop `type` can still set a different kind. */
function preset(kind: CalloutKind): Component {
  return (props) => <Callout {...props} type={calloutKind(props.type) ?? kind} />;
}

/**
 * Returns the Markdown rules of callouts. If `label` is undefined, the label is the capitalized `type`, or
 * `Note` if there is none.
 */
function markdown(label?: string): MarkdownRules {
  return {
    block({ props, children }, writer, depth) {
      const title = text(props.title);
      const kind = label ?? capitalized(text(props.type) ?? "Note");
      const body = writer.blocks(children, depth);
      // A label in the line of another block than a paragraph would break the block.
      const separate = title || /^(?:[#>|-] ?|\d+\. |```)/.test(withoutMarks(body));
      return quote(`**${title ? `${kind}: ${title}` : `${kind}:`}**${separate ? "\n\n" : " "}${body}`.trim());
    },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function definition(render: Component, label?: string): ComponentDefinition {
  return {
    props: "type kind color emoji title icon iconType",
    render,
    wrapsText: true,
    markdown: markdown(label),
  };
}

export const callout = definition(Callout);
export const note = definition(preset("note"), "Note");
export const info = definition(preset("info"), "Info");
export const tip = definition(preset("tip"), "Tip");
export const warning = definition(preset("warning"), "Warning");
export const check = definition(preset("check"), "Check");
export const danger = definition(preset("danger"), "Danger");
// Components from other platforms. They have a preset label in Markdown, but no preset kind.
export const aside = definition(Callout, "Note");
export const hint = definition(Callout, "Tip");
