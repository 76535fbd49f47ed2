import type { Example } from "../../engine/openapi/request/operation.ts";
import { useFormContext } from "./form-context.ts";

/** A dropdown of examples in the document, which fill in a value. Null if there are none. */
export function ExamplePicker<T extends Pick<Example, "label">>({
  name,
  examples,
  choose,
}: {
  name: string;
  examples: readonly T[];
  choose(example: T): void;
}) {
  const { messages } = useFormContext();
  if (examples.length === 0) return null;

  return (
    <select
      class="o-pg-small"
      aria-label={`${messages.example}: ${name}`}
      onChange={(event) => {
        const select = event.currentTarget;
        const example = examples[Number(select.value)];
        // Resets the dropdown, so that the same example can be chosen again after an edit.
        select.value = "-1";
        if (example) choose(example);
      }}
    >
      <option value="-1">{messages.example}</option>
      {examples.map(({ label }, index) => (
        <option value={String(index)}>{label}</option>
      ))}
    </select>
  );
}
