import type { ComponentChildren } from "preact";
import type { AuthorProps } from "../html/prop-values.ts";
import { childElements, flag } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { CodeBlock, codeMetaOf } from "./code-block.tsx";
import type { ComponentDefinition } from "./component.ts";
import type { TabPanel } from "./tab-set.tsx";
import { TabSet } from "./tab-set.tsx";

/** Code blocks as tabs, or with a select box if `dropdown` is set. */
function CodeGroup({ dropdown, children }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <Group dropdown={flag(dropdown)} fallback={messages.codeExample} prefersLanguage>
      {children}
    </Group>
  );
}

/** Samples of a request, for the right column of the page. */
function RequestExample({ dropdown, children }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <div class="o-example" data-example="request">
      <Group dropdown={flag(dropdown)} fallback={messages.request}>
        {children}
      </Group>
    </div>
  );
}

/** Samples of a response, for the right column of the page. */
function ResponseExample({ dropdown, children }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <div class="o-example" data-example="response">
      <Group dropdown={flag(dropdown)} fallback={messages.response}>
        {children}
      </Group>
    </div>
  );
}

interface GroupProps {
  dropdown: boolean;
  /** Label of blocks that have no other label. The second such block and later ones are numbered. */
  fallback: string;
  /** Whether a block without a title is labeled with its language. */
  prefersLanguage?: boolean;
  children: ComponentChildren;
}

function Group({ dropdown, fallback, prefersLanguage = false, children }: GroupProps) {
  const { messages } = useRenderContext();
  const elements = childElements(children);
  let untitled = 0;
  const panels = elements
    .filter((child) => child.type === CodeBlock)
    .map((block): TabPanel => {
      const meta = codeMetaOf(block.props);
      const unnamed = () => (++untitled === 1 ? fallback : `${fallback} ${untitled}`);
      const label = meta.title ?? (prefersLanguage && meta.language ? meta.language : unnamed());
      return { title: label, label, icon: meta.icon, children: block };
    });

  if (panels.length === 0) return <>{children}</>;

  return (
    <>
      <TabSet
        panels={panels}
        selected={0}
        sync
        class="o-code-group code-group"
        dropdown={dropdown}
        dropdownLabel={messages.codeExample}
      />
      {elements.filter((child) => child.type !== CodeBlock)}
    </>
  );
}

export const codeGroup: ComponentDefinition = { render: CodeGroup, props: "dropdown" };
export const requestExample: ComponentDefinition = {
  render: RequestExample,
  props: "dropdown",
  isPageOnly: true,
  isAside: true,
};
export const responseExample: ComponentDefinition = {
  render: ResponseExample,
  props: "dropdown",
  isPageOnly: true,
  isAside: true,
};
