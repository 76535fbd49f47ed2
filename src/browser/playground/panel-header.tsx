import type { Operation } from "../../engine/openapi/operation.ts";
import { useFormContext } from "./form-context.ts";

interface PanelHeaderProps {
  operation: Operation;
  canSend: boolean;
  isBusy: boolean;
  cancel(): void;
  close(): void;
}

/** The header of the panel: method and path, and the buttons that send or cancel the request and close the panel. */
export function PanelHeader({ operation, canSend, isBusy, cancel, close }: PanelHeaderProps) {
  const { messages } = useFormContext();
  return (
    <header class="o-pg-top">
      <h2 id="o-pg-title" tabIndex={-1}>
        <span class="o-pg-method" data-method={operation.method.toLowerCase()}>
          {operation.method}
        </span>
        <code>{operation.path.split(/(?<=\/)/).flatMap((step) => [step, <wbr />])}</code>
      </h2>
      {canSend && (
        // The same button sends and cancels, so that it keeps the focus.
        <button
          type="submit"
          class={`o-pg-send ${isBusy ? "o-pg-button" : "o-primary"}`}
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
