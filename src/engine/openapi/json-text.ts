/** JSON text of a value in which integers beyond 2^53 are `bigint`s. */
import { isRaw } from "./refs.ts";

export function jsonText(value: unknown, indent = 0): string {
  return write(value, " ".repeat(indent), "");
}

function write(value: unknown, step: string, margin: string): string {
  if (typeof value === "bigint") return value.toString();
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = margin + step;
  const members = Array.isArray(value)
    ? value.map((item) => write(item ?? null, step, inner))
    : isRaw(value)
      ? Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => `${JSON.stringify(key)}:${step && " "}${write(item, step, inner)}`)
      : undefined;
  if (!members) return JSON.stringify(value) ?? "null";
  if (members.length === 0) return `${open}${close}`;
  return step
    ? `${open}\n${members.map((member) => inner + member).join(",\n")}\n${margin}${close}`
    : `${open}${members.join(",")}${close}`;
}
