import { useState } from "preact/hooks";
import { boundariesIn } from "../../../engine/openapi/request.ts";
import { type FileValue, isFileValue } from "../../../engine/openapi/request-model.ts";
import type { SchemaView } from "../../../engine/openapi/schema-view.ts";
import { useDesk } from "../desk.ts";
import { sizeText } from "../figures.ts";
import { fill } from "../words.ts";
import { controlAttributes, FieldFrame, type FieldProps, useFinding } from "./field-frame.tsx";

/** A file, chosen or dropped. With `base64` its bytes become text, which can be edited like any other. */
export function FileField({ field, view, base64 }: { field: FieldProps; view: SchemaView; base64: boolean }) {
  const { words } = useDesk();
  const [over, setOver] = useState(false);
  const finding = useFinding(field.path, field.value);
  const chosen = isFileValue(field.value) ? field.value.file : undefined;
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (base64) field.onChange(await base64Of(file));
    else {
      const boundaries = await boundariesIn(file);
      field.onChange({ file: { name: file.name, type: file.type, bytes: file, boundaries } } satisfies FileValue);
    }
  };
  return (
    <FieldFrame field={field} view={view}>
      <div
        class="o-pg-drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer?.files[0]);
        }}
      >
        <input
          type="file"
          class="o-pg-file"
          accept={view.contentMediaType?.includes("octet-stream") ? undefined : view.contentMediaType}
          {...controlAttributes(field, finding)}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <span class="o-pg-drop-words" aria-hidden="true">
          {chosen ? (
            <>
              <strong>{chosen.name}</strong> {chosen.bytes && sizeText(chosen.bytes.size)}
            </>
          ) : (
            <>
              <strong>{words.chooseFile}</strong> {words.dropFile}
            </>
          )}
        </span>
      </div>
      {chosen && (
        <button type="button" class="o-pg-quiet" onClick={() => field.onChange(undefined)}>
          {fill(words.remove, { name: chosen.name })}
        </button>
      )}
      {base64 && (
        <textarea
          class="o-pg-input"
          rows={2}
          aria-label={`${field.name} (base64)`}
          value={typeof field.value === "string" ? field.value : ""}
          onInput={(event) => field.onChange(event.currentTarget.value || undefined)}
        />
      )}
    </FieldFrame>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
