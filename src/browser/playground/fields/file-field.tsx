import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type FileValue, isFileValue } from "../../../engine/openapi/request/request-model.ts";
import { boundariesIn } from "../../../engine/openapi/request/request-multipart.ts";
import type { SchemaView } from "../../../engine/openapi/schema/schema-view.ts";
import { useFormContext } from "../form-context.ts";
import { sizeText } from "../format-amounts.ts";
import { fill } from "../playground-messages.ts";
import { controlAttributes, FieldFrame, type FieldProps, useFinding } from "./field-frame.tsx";

/**
 * A field for a file that the reader chooses or drops. With `base64`, the file's content becomes editable
 * text.
 */
export function FileField({ field, view, base64 }: { field: FieldProps; view: SchemaView; base64: boolean }) {
  const { messages } = useFormContext();
  const chosen = isFileValue(field.value) ? field.value.file : undefined;
  const take = async ([file]: readonly File[]) => {
    if (file) field.onChange(base64 ? await base64Of(file) : await fileValue(file));
  };

  return (
    <FieldFrame field={field} view={view}>
      <FilePicker field={field} view={view} take={take}>
        {chosen ? (
          <FileName file={chosen} />
        ) : (
          <>
            <strong>{messages.chooseFile}</strong> {messages.dropFile}
          </>
        )}
      </FilePicker>
      {chosen && (
        <button type="button" class="o-pg-quiet" onClick={() => field.onChange(undefined)}>
          {fill(messages.remove, { name: chosen.name })}
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

/** A field for an array of files. Chosen and dropped files are added. */
export function FilesField({
  field,
  view,
  items,
}: {
  field: FieldProps;
  view: SchemaView;
  items: SchemaView;
}) {
  const { messages } = useFormContext();
  const files = Array.isArray(field.value) ? field.value.filter(isFileValue) : [];
  const most = view.constraints.find(({ keyword }) => keyword === "maxItems")?.value;
  const set = (next: FileValue[]) => field.onChange(next.length > 0 ? next : undefined);
  const take = async (chosen: readonly File[]) => {
    const added = await Promise.all(chosen.map(fileValue));
    set([...files, ...added].slice(0, typeof most === "number" ? most : undefined));
  };

  return (
    <FieldFrame field={field} view={view}>
      {files.map(({ file }, index) => (
        <p class="o-pg-chosen" key={index}>
          <FileName file={file} />
          <button
            type="button"
            class="o-pg-remove"
            aria-label={fill(messages.remove, { name: file.name })}
            onClick={() => set(files.filter((_, position) => position !== index))}
          >
            <i class="o-c o-c-x" />
          </button>
        </p>
      ))}
      <FilePicker field={field} view={items} multiple take={take}>
        <strong>{messages.chooseFiles}</strong> {messages.dropFile}
      </FilePicker>
    </FieldFrame>
  );
}

interface FilePickerProps {
  field: FieldProps;
  /** The schema of a file. */
  view: SchemaView;
  multiple?: boolean;
  take(files: readonly File[]): Promise<void>;
  children: ComponentChildren;
}

function FilePicker({ field, view, multiple, take, children }: FilePickerProps) {
  const [over, setOver] = useState(false);
  const finding = useFinding(field.path, field.value);
  return (
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
        void take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <input
        type="file"
        class="o-pg-file"
        multiple={multiple}
        accept={view.contentMediaType?.includes("octet-stream") ? undefined : view.contentMediaType}
        {...controlAttributes(field, finding)}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          // Allows choosing the same file again.
          if (multiple) event.currentTarget.value = "";
          void take(chosen);
        }}
      />
      <span class="o-pg-drop-words" aria-hidden="true">
        {children}
      </span>
    </div>
  );
}

function FileName({ file: { name, bytes } }: { file: FileValue["file"] }) {
  return (
    <>
      <strong>{name}</strong> {bytes && sizeText(bytes.size)}
    </>
  );
}

async function fileValue(file: File): Promise<FileValue> {
  return { file: { name: file.name, type: file.type, bytes: file, boundaries: await boundariesIn(file) } };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
