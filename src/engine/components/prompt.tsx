import type { AuthorProps } from "../html/prop-values.ts";
import { text, textBelow, texts } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { fill } from "../i18n/messages.ts";
import { quote } from "../write-markdown.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";
import { InlineMarkdown } from "./inline-markdown.tsx";
import { withoutToc } from "./toc-context.ts";

/** Maximum length of the prompt in a link to Cursor, in characters. Longer prompts are truncated. */
const cursorPrompt_chars = 8_000;

/** A prompt for an AI assistant. The copy button copies `source`, the Markdown of the prompt. */
function Prompt({ description, actions, icon, iconType, source, children }: AuthorProps) {
  const { messages } = useRenderContext();
  const prompt = (text(source) ?? textBelow(children)).trim();
  const requested = actions === undefined ? ["copy"] : texts(actions);
  return (
    <div class="o-prompt">
      <div class="o-prompt-head">
        <IconImage value={text(icon)} type={text(iconType)} />
        <p>
          <InlineMarkdown value={description} />
        </p>
        <div class="o-prompt-actions">
          {requested.includes("copy") ? (
            <button type="button" class="o-button o-js" data-copy="">
              {messages.copy}
            </button>
          ) : null}
          {requested.includes("cursor") ? (
            <a
              class="o-button"
              href={`https://cursor.com/link/prompt?text=${encodeURIComponent(prompt.slice(0, cursorPrompt_chars).toWellFormed())}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              {fill(messages.openIn, { name: "Cursor" })}
            </a>
          ) : null}
        </div>
      </div>
      <details class="o-prompt-text">
        <summary>{messages.showMore}</summary>
        <pre class="o-wrap" tabIndex={0}>
          <code>{prompt}</code>
        </pre>
      </details>
    </div>
  );
}

export const prompt: ComponentDefinition = {
  render: Prompt,
  props: "description actions icon iconType",
  anchors: { inside: withoutToc },
  derivedProps: (node, { toMarkdown }) => ({ source: toMarkdown(node.children) }),
  markdown: {
    block: ({ props, children }, writer, depth) =>
      [text(props.description), quote(writer.blocks(children, depth))].filter(Boolean).join("\n\n"),
  },
};
