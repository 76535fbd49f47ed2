import { useState } from "preact/hooks";
import { cutText } from "../../base/cut-text.ts";
import type { Exact } from "./exact-json.ts";
import { useFormContext } from "./form-context.ts";
import { fill } from "./playground-messages.ts";

/** Maximum number of members that are rendered initially, and that each "show more" adds. */
const page_count = 100;
/**
 * Number of levels that are initially open. Below the first level, branches with more than `page_count`
 * members start closed.
 */
const open_levels = 3;
/** Maximum length of a displayed string, in characters. Longer strings are truncated. */
const text_chars = 2_000;

/** Shows JSON as a tree. Levels are rendered when they are opened, so that large responses render fast. */
export function JsonTree({ value }: { value: Exact }) {
  return (
    <div class="o-pg-tree">
      <Node value={value} level={0} />
    </div>
  );
}

/** An entry of an object or an item of a list. Items have no name. */
type Member = [name: string | undefined, value: Exact];

function Node({ name, value, level }: { name?: string | undefined; value: Exact; level: number }) {
  const members: Member[] | undefined =
    value.kind === "object"
      ? value.entries
      : value.kind === "array"
        ? value.items.map((item) => [undefined, item])
        : undefined;

  const label = name !== undefined && <span class="o-pg-key">{JSON.stringify(name)}: </span>;

  if (!members || members.length === 0) {
    return (
      <div class="o-pg-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }

  return <Branch label={label} members={members} list={value.kind === "array"} level={level} />;
}

function Branch({
  label,
  members,
  list,
  level,
}: {
  label: preact.ComponentChildren;
  members: Member[];
  list: boolean;
  level: number;
}) {
  const { messages } = useFormContext();
  const [open, setOpen] = useState(level < open_levels && (level === 0 || members.length <= page_count));
  const [count, setCount] = useState(page_count);
  const [start, end] = list ? "[]" : "{}";
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="o-pg-brace">{open ? start : `${start} … ${end}`}</span>
        {!open && <small>{members.length}</small>}
      </summary>
      {open && (
        <>
          <div class="o-pg-members">
            {members.slice(0, count).map(([key, member], index) => (
              <Node key={index} name={key} value={member} level={level + 1} />
            ))}
            {members.length > count && (
              <button type="button" class="o-pg-quiet" onClick={() => setCount(count + page_count)}>
                {fill(messages.showMore, { count: Math.min(page_count, members.length - count) })}
              </button>
            )}
          </div>
          <span class="o-pg-brace">{end}</span>
        </>
      )}
    </details>
  );
}

function Leaf({ value }: { value: Exact }) {
  if (value.kind === "string") {
    return <span class="o-pg-string">{JSON.stringify(cutText(value.text, text_chars))}</span>;
  }
  if (value.kind === "number") return <span class="o-pg-number">{value.digits}</span>;
  if (value.kind === "literal") return <span class="o-pg-literal">{String(value.value)}</span>;
  return <span class="o-pg-brace">{value.kind === "array" ? "[]" : "{}"}</span>;
}
