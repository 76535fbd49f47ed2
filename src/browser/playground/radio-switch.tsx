/** Renders radio buttons in a row. */

import { useId } from "preact/hooks";

export function Switch<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <span class="o-pg-switch" role="radiogroup" aria-label={label}>
      {options.map(([key, text]) => (
        <label>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </span>
  );
}
