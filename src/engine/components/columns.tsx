import type { AuthorProps } from "../html/prop-values.ts";
import { count, text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** A grid, with fewer columns on small screens. */
function Columns({ cols, columns, className, children }: AuthorProps) {
  const number = count(cols ?? columns, 2, 1, 4);
  return (
    <div class={["o-cols columns", text(className)].filter(Boolean).join(" ")} style={`--o-cols:${number}`}>
      {children}
    </div>
  );
}

/** A cell of Columns. */
function Column({ children }: AuthorProps) {
  return <div class="o-column o-flow">{children}</div>;
}

export const columns: ComponentDefinition = {
  render: Columns,
  props: "cols columns",
  // Removes empty lines before list items, so that cards become one list.
  markdown: {
    block: ({ children }, writer, depth) => writer.blocks(children, depth).replace(/\n\n(?=- )/g, "\n"),
  },
};

export const column: ComponentDefinition = { render: Column, props: "", wrapsText: true };
