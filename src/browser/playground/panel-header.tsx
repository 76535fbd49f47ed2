import type { Operation } from "../../engine/openapi/request/operation.ts";
import { EnvironmentSelect } from "./environment-bar.tsx";
import { useFormContext } from "./form-context.ts";
import { ServerSelect } from "./server-form.tsx";
import type { ServerUrl } from "./server-url.ts";
import type { Environments } from "./use-environments.ts";

interface PanelHeaderProps {
  operation: Operation;
  target: ServerUrl;
  environments: Environments;
  canSend: boolean;
  isBusy: boolean;
  cancel(): void;
  close(): void;
}

/**
 * The header of the panel: the request in one line, and the buttons that send or cancel it and close the
 * panel.
 */
export function PanelHeader({
  operation,
  target,
  environments,
  canSend,
  isBusy,
  cancel,
  close,
}: PanelHeaderProps) {
  const { messages } = useFormContext();
  const { kind, method, path, summary, servers } = operation;
  const isCall = kind === "operation";

  // With several servers, the server is in the dropdown.
  const base = isCall && servers.length < 2 ? (target.url ?? target.text) : "";
  return (
    <header class="o-pg-top">
      <h2 id="o-pg-title" tabIndex={-1}>
        <span class="o-pg-method" data-method={method.toLowerCase()}>
          {method}
        </span>
        {summary && <span class="o-pg-summary">{summary}</span>}
        <code>
          {base && <span class="o-pg-base">{base}</span>}
          {path.split(/(?<=\/)/).flatMap((step) => [step, <wbr />])}
        </code>
      </h2>
      {isCall && servers.length > 0 && (
        <div class="o-pg-target">
          <EnvironmentSelect environments={environments} />
          <ServerSelect operation={operation} />
        </div>
      )}
      {canSend && (
        // The same button sends and cancels, so that it keeps the focus.
        <button
          type="submit"
          class={`o-pg-send ${isBusy ? "o-pg-button" : "o-primary"}`}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          data-keys={isBusy ? undefined : isMac() ? "⌘ ↵" : "Ctrl ↵"}
          onClick={(event) => {
            if (!isBusy) return;
            event.preventDefault();
            // Enter in a field is not a click on the button.
            if (event.detail > 0 || document.activeElement === event.currentTarget) cancel();
          }}
        >
          {isBusy ? messages.cancel : messages.send}
        </button>
      )}
      <button type="button" class="o-pg-icon o-pg-close" aria-label={messages.close} onClick={close}>
        <i class="o-c o-c-x" />
      </button>
    </header>
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
