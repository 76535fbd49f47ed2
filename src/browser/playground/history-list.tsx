import { useFormContext } from "./form-context.ts";
import { durationText } from "./format-amounts.ts";
import type { HistoryEntry } from "./history.ts";

/** The last requests of this operation in this tab. */
export function HistoryList({
  entries,
  use,
  clear,
}: {
  entries: HistoryEntry[];
  use(entry: HistoryEntry): void;
  clear(): void;
}) {
  const { messages } = useFormContext();
  if (entries.length === 0) return null;

  return (
    <details class="o-pg-card o-pg-history">
      <summary>
        {messages.history} <span class="o-pg-count">{entries.length}</span>
      </summary>
      <ol>
        {entries.map((entry) => (
          <li>
            <time dateTime={new Date(entry.at).toISOString()}>{new Date(entry.at).toLocaleTimeString()}</time>
            <span class="o-pg-status" data-class={String(entry.status ?? "")[0]}>
              {entry.status ?? messages.noResponse}
            </span>
            <code>{entry.path}</code>
            <span class="o-pg-muted">{durationText(entry.ms)}</span>
            <button type="button" class="o-pg-quiet" onClick={() => use(entry)}>
              {messages.historyUse}
            </button>
          </li>
        ))}
      </ol>
      <button type="button" class="o-pg-quiet" onClick={clear}>
        {messages.historyClear}
      </button>
    </details>
  );
}
