import { paramIdOf } from "../html/anchor-ids.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, shown, text, texts } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { spaced } from "../html/spaced.ts";
import { codeSpan, indentAll } from "../write-markdown.ts";
import type { AnchorRules, ComponentDefinition, MarkdownRules } from "./component.ts";

/** A parameter of a request. */
function ParamField(props: AuthorProps) {
  return <Field {...props} />;
}

/** A field of a response. */
function ResponseField(props: AuthorProps) {
  return <Field {...props} />;
}

function Field(props: AuthorProps) {
  const { messages } = useRenderContext();
  const id = text(props.id);
  const name = fieldNameOf(props) ?? "";
  const initial = defaultText(props.default);
  return (
    <div class="o-field field" id={id}>
      <div class="o-field-head">
        {spaced([
          ...texts(props.pre).map(pill),
          <code class="o-field-name">{name}</code>,
          ...texts(props.post).map(pill),
          shown(props.type) ? <span class="o-field-type">{shown(props.type)}</span> : null,
          flag(props.nullable) ? <span class="o-field-type">null</span> : null,
          initial === undefined ? null : (
            <span class="o-field-default">
              {messages.default} <code>{initial}</code>
            </span>
          ),
          flag(props.required) ? <span class="o-field-required">{messages.required}</span> : null,
          flag(props.optional) ? <span class="o-field-optional">{messages.optional}</span> : null,
          flag(props.deprecated) ? <span class="o-field-deprecated">{messages.deprecated}</span> : null,
          id ? (
            <a class="o-anchor" href={`#${id}`} aria-label={`${messages.linkToSection}: ${name}`} />
          ) : null,
        ])}
      </div>
      <div class="o-field-body o-flow">
        {shown(props.description) ? <p>{shown(props.description)}</p> : null}
        {props.children}
      </div>
    </div>
  );
}

const pill = (label: string) => <span class="o-field-pill">{label}</span>;

/**
 * Returns the default value as text, even for `default={false}` and `default=""`. Objects become JSON,
 * limited to 200 characters. Undefined if there is none.
 */
function defaultText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === "") return '""';
  return typeof value === "object" ? JSON.stringify(value).slice(0, 200) : String(value);
}

const anchors: AnchorRules = {
  idOfBlock({ props }, claim) {
    const name = fieldNameOf(props);
    const preferred = text(props.id) ?? (name ? paramIdOf(name) : undefined);
    return preferred === undefined ? undefined : claim(preferred, 1);
  },
};

const markdown: MarkdownRules = {
  block({ props, children }, writer, depth) {
    const facts = [
      text(props.type) && codeSpan(text(props.type)!),
      flag(props.required) && "required",
      flag(props.deprecated) && "deprecated",
      props.default !== undefined &&
        props.default !== null &&
        `default: ${codeSpan(String(typeof props.default === "object" ? JSON.stringify(props.default) : props.default) || '""')}`,
    ].filter(Boolean);
    const body = [text(props.description), writer.blocks(children, depth)].filter(Boolean).join("\n\n");
    const head = `- **${codeSpan(fieldNameOf(props) ?? "")}**${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
    return body ? `${head}\n\n${indentAll(body, "  ")}` : head;
  },
};

/**
 * Returns the name of the documented field: the first of the attributes `query`, `path`, `body`, `header` and
 * `name` that is a non-empty string. Undefined if there is none.
 */
function fieldNameOf(props: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["query", "path", "body", "header", "name"]) {
    const value = props[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

const props =
  "id name query path body header type default pre post nullable required optional deprecated description placeholder initialValue";

export const paramField: ComponentDefinition = {
  render: ParamField,
  props,
  wrapsText: true,
  anchors,
  markdown,
  field: "request",
};
export const responseField: ComponentDefinition = {
  props,
  render: ResponseField,
  requiredProps: ["name"],
  wrapsText: true,
  anchors,
  markdown,
  field: "response",
};
