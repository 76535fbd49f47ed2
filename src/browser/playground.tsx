/** The request playground, loaded when a reader first asks for it. A classic script: it also runs from `file://`. */
import { render } from "preact";
import { loadScript } from "./load-script.ts";
import { type DocumentPart, listenToData, openDocument } from "./playground/document-part.ts";
import type { Places } from "./playground/file-urls.ts";
import { listenToWords, readWords } from "./playground/playground-messages.ts";
import { Panel } from "./playground/playground-panel.tsx";
import { firstDraft } from "./playground/prefill.ts";

let panel: Promise<HTMLDialogElement> | undefined;

/** Opens the panel; it keeps what was typed. Rejects when a file does not come, and can then be called again. */
async function open(places: Places): Promise<void> {
  panel ??= make(places).catch((error) => {
    panel = undefined;
    throw error;
  });
  const dialog = await panel;
  if (!dialog.open) dialog.showModal();
  document.getElementById("o-pg-title")?.focus();
}

async function make(places: Places): Promise<HTMLDialogElement> {
  const absolute = (href: string) => new URL(href, document.baseURI).href;
  listenToWords();
  listenToData();
  // Without its words the playground speaks English.
  await loadScript(absolute(places.words)).catch(() => undefined);
  const part = await openDocument(absolute(places.operation), absolute(places.components));
  const site = absolute(places.script).replace(/[^/]*$/, "");
  const dialog = document.createElement("dialog");
  dialog.className = "o-pg";
  const words = readWords();
  dialog.ariaLabel = words.title;
  const first = await whole(part, () => firstDraft(part.operation, part.refs, part.data.settings, site));
  document.body.append(dialog);
  render(
    <Panel
      part={part}
      first={first}
      words={words}
      site={site}
      operationHref={absolute(places.operation)}
      proxy={places.proxy === null ? undefined : absolute(places.proxy)}
      redirect={absolute(places.oauth)}
      close={() => dialog.close()}
    />,
    dialog,
  );
  return dialog;
}

/** Makes something anew until no component that it asked for is missing. */
async function whole<T>(part: DocumentPart, make: () => T): Promise<T> {
  let made = make();
  while (await part.loadMissing().catch(() => false)) made = make();
  return made;
}

Object.assign(globalThis, { octavoPlayground: { open } });
