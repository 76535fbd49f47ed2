import { fill } from "../../i18n/messages.ts";
import { useRenderContext } from "../render-context.ts";
import { IconImage } from "./icon.tsx";
import { InlineMarkdown } from "./inline-markdown.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { text, textBelow, texts } from "./prop-values.ts";

/** Addresses have a bound, and programs that open one cut it. */
const cursorPrompt_chars = 8_000;

/** A prompt to hand to an assistant. `source` is its Markdown, which is what gets copied. */
export function Prompt({ description, actions, icon, iconType, source, children }: AuthorProps) {
  const { strings } = useRenderContext();
  const prompt = (text(source) ?? textBelow(children)).trim();
  const wanted = actions === undefined ? ["copy"] : texts(actions);
  return (
    <div class="o-prompt">
      <div class="o-prompt-head">
        <IconImage value={text(icon)} type={text(iconType)} />
        <p>
          <InlineMarkdown value={description} />
        </p>
        <div class="o-prompt-actions">
          {wanted.includes("copy") ? (
            <button type="button" class="o-button o-js" data-copy="" data-done={strings.copied}>
              {strings.copy}
            </button>
          ) : null}
          {wanted.includes("cursor") ? (
            <a
              class="o-button"
              href={`https://cursor.com/link/prompt?text=${encodeURIComponent(prompt.slice(0, cursorPrompt_chars))}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              {fill(strings.openIn, { name: "Cursor" })}
            </a>
          ) : null}
        </div>
      </div>
      <details class="o-prompt-text">
        <summary>{strings.showMore}</summary>
        <pre class="o-wrap" tabIndex={0}>
          <code>{prompt}</code>
        </pre>
      </details>
    </div>
  );
}
