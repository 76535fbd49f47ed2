import type { SiteMessages } from "../../i18n/messages.ts";
import { useRenderContext } from "../render-context.ts";
import { safeColor } from "../safe-attributes.ts";
import { IconImage } from "./icon.tsx";
import type { AuthorProps, Component } from "./prop-values.ts";
import { shown, text } from "./prop-values.ts";

export type CalloutKind = "note" | "info" | "tip" | "warning" | "check" | "danger";

/** Words that authors use for a kind, here and on other platforms. */
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

/** The kind that a word names, or undefined. */
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

/** A callout in the author's own colour and icon, or of a kind by `type`. */
export function Callout(props: AuthorProps) {
  const { strings } = useRenderContext();
  const kind = calloutKind(props.type) ?? calloutKind(props.kind);
  const color = safeColor(props.color);
  const ownIcon = text(props.icon);
  const emoji = text(props.emoji);
  const title = shown(props.title);
  return (
    <div
      class={`o-callout o-callout-${kind ?? "plain"}`}
      role="note"
      aria-label={kind && strings[labels[kind]]}
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

/** A preset callout; `type` may still choose another kind. */
function preset(kind: CalloutKind): Component {
  return (props) => <Callout {...props} type={calloutKind(props.type) ?? kind} />;
}

export const Note = preset("note");
export const Info = preset("info");
export const Tip = preset("tip");
export const Warning = preset("warning");
export const Check = preset("check");
export const Danger = preset("danger");
