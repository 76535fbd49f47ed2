import type { Finding } from "../../engine/openapi/check/check-value.ts";
import { FindingsList } from "./findings-list.tsx";
import { useFormContext } from "./form-context.ts";
import { HistoryList } from "./history-list.tsx";
import { ResponseCard } from "./response-card.tsx";
import type { Exchanges } from "./use-exchanges.ts";

/** Default timeout for the response headers. Readers can change it. */
export const defaultTimeout_s = 60;

interface ResponseColumnProps {
  exchanges: Exchanges;
  findings: Finding[] | undefined;
  timeout_s: number;
  setTimeout_s(timeout_s: number): void;
}

/** The response, its differences from the API document, and earlier requests. */
export function ResponseColumn({ exchanges, findings, timeout_s, setTimeout_s }: ResponseColumnProps) {
  const { messages, change } = useFormContext();

  // A documented error isn't the result that the reader wanted.
  const isError = (exchanges.current?.response?.status ?? 0) >= 400;
  return (
    <>
      <ResponseCard exchange={exchanges.current} />
      {findings?.length === 0 && !isError && <p class="o-pg-kept">{messages.responseKeeps}</p>}
      <FindingsList title={messages.responseDiffers} findings={findings ?? []} />
      <div class="o-pg-foot" data-route={exchanges.isProxied ? "proxy" : "browser"}>
        {exchanges.current && (
          <span class="o-pg-muted">{exchanges.isProxied ? messages.sentBySite : messages.sentByBrowser}</span>
        )}
        <label>
          {messages.timeout}{" "}
          <input
            class="o-pg-input"
            type="number"
            min="1"
            max="3600"
            value={timeout_s}
            onChange={(event) =>
              setTimeout_s(Math.max(1, event.currentTarget.valueAsNumber || defaultTimeout_s))
            }
          />
        </label>
      </div>
      <HistoryList
        entries={exchanges.history}
        use={(entry) => change((before) => ({ ...before, ...entry.draft }))}
        clear={exchanges.clearHistory}
      />
    </>
  );
}
