import { bodyExamplesOf } from "../../engine/openapi/check/example.ts";
import { jsonText } from "../../engine/openapi/nodes/json-text.ts";
import type { MediaType, Operation } from "../../engine/openapi/request/operation.ts";
import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import type { SchemaRef } from "../../engine/openapi/schema/schema-view.ts";
import { descriptionText } from "./description-text.ts";
import { type BodyDraft, bodyForm, type Draft } from "./draft.ts";
import { type JsonParseError, readJson } from "./exact-json.ts";
import { ExamplePicker } from "./example-picker.tsx";
import { FileField } from "./fields/file-field.tsx";
import { SchemaField } from "./fields/schema-field.tsx";
import { draftOfExample } from "./first-draft.ts";
import { fieldId, useFormContext } from "./form-context.ts";
import { fill, type PlaygroundMessages } from "./playground-messages.ts";
import { Switch } from "./radio-switch.tsx";
import { bodyText } from "./request-text.ts";

const noSchema: SchemaRef = { parts: [] };

/** Replaces the body by an example, which determines the alternatives. */
function withBody(draft: Draft, mediaType: string, body: BodyDraft): Draft {
  const choices = Object.entries(draft.choices).filter(([path]) => !path.startsWith("body"));
  return {
    ...draft,
    bodies: { ...draft.bodies, [mediaType]: body },
    choices: Object.fromEntries(choices),
  };
}

/**
 * Edits the body as a form or as text. A JSON body stays in sync in both as long as the text is valid JSON.
 */
export function BodyForm({ operation, request }: { operation: Operation; request: HttpRequest }) {
  const { messages, draft, change, refs, view } = useFormContext();
  const body = operation.body!;
  const media = body.content.find(({ type }) => type === draft.mediaType) ?? body.content[0];
  if (!media) return null;

  const form = bodyForm(media, refs);
  const bodyDraft = draft.bodies[media.type] ?? { raw: false };

  const set = (next: Partial<BodyDraft>) =>
    change((before) => ({
      ...before,
      bodies: { ...before.bodies, [media.type]: { ...before.bodies[media.type], raw: false, ...next } },
    }));

  const setValue = (value: unknown) => set({ ...bodyDraft, raw: false, value });
  const schema = media.schema ?? noSchema;
  const asText = form === "text" || (bodyDraft.raw && (form === "json" || form === "xml"));

  const switchTo = (raw: boolean) => {
    if (raw) {
      // The initial text is the body that would be sent, with indented JSON.
      const value =
        form === "json"
          ? bodyDraft.value === undefined
            ? ""
            : jsonText(bodyDraft.value, 2)
          : request.body
            ? bodyText(request.body)
            : "";
      set({ ...bodyDraft, raw, text: value });
    } else set({ ...bodyDraft, raw });
  };

  const write = (text: string) => {
    const next: BodyDraft = { ...bodyDraft, text };
    if (form === "json") {
      try {
        next.value = text.trim() === "" ? undefined : readJson(text);
      } catch {
        // If the text is invalid, the form keeps the last value that could be parsed.
      }
    }
    set(next);
  };

  return (
    <>
      {body.description && <p class="o-pg-description">{descriptionText(body.description)}</p>}
      <div class="o-pg-body-head">
        <ContentType content={body.content} selected={media.type} />
        <ExamplePicker
          key={media.type}
          name={messages.body}
          examples={bodyExamplesOf(media, refs, "request").filter(({ value }) => value !== undefined)}
          choose={(example) =>
            change((before) => withBody(before, media.type, draftOfExample(media, example, refs)))
          }
        />
        {(form === "json" || form === "xml") && media.schema && (
          <Switch
            label={messages.editAs}
            options={[
              ["form", messages.form],
              ["text", form === "json" ? "JSON" : "XML"],
            ]}
            value={asText ? "text" : "form"}
            onChange={(value) => switchTo(value === "text")}
          />
        )}
      </div>
      {asText ? (
        <BodyText media={media} text={bodyDraft.text ?? ""} write={write} json={form === "json"} />
      ) : form === "file" ? (
        <FileField
          key={media.type}
          field={{
            name: messages.body,
            path: "body",
            required: body.required,
            value: bodyDraft.value,
            onChange: setValue,
            files: true,
          }}
          view={view(schema)}
          base64={view(schema).file === "base64"}
        />
      ) : (
        <SchemaField
          key={media.type}
          name={messages.body}
          path="body"
          schema={schema}
          required={body.required}
          value={bodyDraft.value}
          onChange={setValue}
          files={media.type.trim().toLowerCase().startsWith("multipart/")}
          bare
        />
      )}
    </>
  );
}

function ContentType({ content, selected }: { content: readonly MediaType[]; selected: string }) {
  const { messages, change } = useFormContext();
  if (content.length === 1) return <code>{selected}</code>;

  return (
    <div class="o-pg-content-type">
      <label for={fieldId("contentType")}>{messages.contentType}</label>
      <select
        class="o-pg-small"
        id={fieldId("contentType")}
        value={selected}
        onChange={(event) => {
          const mediaType = event.currentTarget.value;
          change((before) => ({ ...before, mediaType }));
        }}
      >
        {content.map(({ type }) => (
          <option value={type}>{type}</option>
        ))}
      </select>
    </div>
  );
}

function BodyText({
  media,
  text,
  write,
  json,
}: {
  media: MediaType;
  text: string;
  write(text: string): void;
  json: boolean;
}) {
  const { messages } = useFormContext();
  const error = json && text.trim() !== "" ? syntaxErrorIn(text, messages) : undefined;
  const id = fieldId("body");
  return (
    <div class="o-pg-field">
      <textarea
        class="o-pg-input o-pg-code-input"
        id={id}
        aria-label={`${messages.body} (${media.type})`}
        aria-describedby={`${id}-about`}
        aria-invalid={error !== undefined || undefined}
        rows={Math.min(24, Math.max(8, text.split("\n").length + 1))}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <div id={`${id}-about`} role="status">
        {error && <p class="o-pg-wrong">{error}</p>}
      </div>
    </div>
  );
}

function syntaxErrorIn(text: string, messages: PlaygroundMessages): string | undefined {
  try {
    readJson(text);
    return undefined;
  } catch (error) {
    const { line, column } = error as JsonParseError;
    return fill(messages.invalidJson, { line, column });
  }
}
