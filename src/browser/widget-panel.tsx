/** Shows the assistant's panel in the widget on another website. Loaded when a visitor first opens it. */

import { render } from "preact";
import { Panel } from "./assistant/assistant-panel.tsx";
import { ConversationStore } from "./assistant/conversation-store.ts";
import { dialogMessages } from "./dialog-messages.ts";
import { setWidgetContext, type WidgetContext, type WidgetPanel } from "./widget/context.ts";
import { adaptElements } from "./widget/elements.ts";

/** The style sheet of the panel. The build replaces this constant. */
declare const octavoWidgetCss: string;

/** Screens on which the panel covers the page and is modal. */
const narrowLayout = "(max-width: 40rem)";
const assistantPath = "_octavo/assistant";

function createPanel(context: WidgetContext): WidgetPanel {
  const { site, base, root, version, hasFeedback } = context;
  setWidgetContext(context);
  adaptElements();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(octavoWidgetCss);
  // The sheets of the button contain the site's colors, which take precedence.
  root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];

  const { dialog, open, close } = createDialog(context);
  const message = base + assistantPath;
  const links = {
    words: "",
    failed: "",
    search: { script: "", style: "", scope: version ? { version: { name: version, label: version } } : {} },
    assistant: {
      script: "",
      style: "",
      message,
      ...(hasFeedback ? { feedback: `${message}/feedback` } : {}),
      ...(site.support === undefined ? {} : { support: site.support }),
    },
  };

  let sent = 0;
  const draw = () => {
    const { turns } = store.conversation;
    const now = turns.filter(({ state }) => state === "writing").length;
    if (now > sent) context.onAsk();
    sent = now;
    render(<Panel store={store} close={close} />, dialog);
  };
  const store = new ConversationStore(links, draw);
  draw();

  return {
    close,
    open(question) {
      open();
      if (question !== undefined) store.send(question);
    },
  };
}

/** Creates the dialog: a window in a corner of wide screens, a modal dialog on narrow ones. */
function createDialog({ root, onClose }: WidgetContext) {
  const dialog = document.createElement("dialog");
  dialog.className = "o-assistant";
  dialog.ariaLabel = dialogMessages().assistant;
  root.append(dialog);
  const isNarrow = matchMedia(narrowLayout);
  const show = () => {
    if (isNarrow.matches) dialog.showModal();
    else dialog.show();
  };

  dialog.addEventListener("close", () => {
    // Switching the layout closes the dialog and opens it again.
    if (!dialog.open) onClose();
  });
  isNarrow.addEventListener("change", () => {
    if (!dialog.open) return;
    dialog.close();
    show();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    dialog.close();
  });
  // Shortcuts of the website must not react to what is typed.
  for (const type of ["keydown", "keyup", "keypress"] as const)
    dialog.addEventListener(type, (event) => event.stopPropagation());

  const open = () => {
    if (!dialog.open) show();
    dialog.querySelector("textarea")?.focus();
  };
  return { dialog, open, close: () => dialog.close() };
}

Object.assign(globalThis, { octavoWidgetPanel: createPanel });
