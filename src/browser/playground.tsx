/**
 * Shows the request playground. Loaded on first use. A classic script, so that it also runs from `file://`.
 */

import { render } from "preact";
import type { PlaygroundLinks } from "../engine/frame/page-view.ts";
import { loadScript } from "./load-script.ts";
import { type DocumentPart, listenForData, loadOperationPart } from "./playground/document-part.ts";
import { readEnvironments, withEnvironment } from "./playground/environments.ts";
import { firstDraft } from "./playground/first-draft.ts";
import { listenForMessages, readMessages } from "./playground/playground-messages.ts";
import { Panel } from "./playground/playground-panel.tsx";

let panel: Promise<HTMLDialogElement> | undefined;

/**
 * Opens the panel. The reader's input is kept until the page is closed. Rejects if a file can't be loaded.
 * Callers can then try again.
 */
async function open(links: PlaygroundLinks): Promise<void> {
  panel ??= createPanel(links).catch((error) => {
    panel = undefined;
    throw error;
  });
  const dialog = await panel;
  if (!dialog.open) dialog.showModal();
  document.getElementById("o-pg-title")?.focus();
}

async function createPanel(links: PlaygroundLinks): Promise<HTMLDialogElement> {
  const absolute = (href: string) => new URL(href, document.baseURI).href;
  listenForMessages();
  listenForData();

  // If the messages can't be loaded, the playground is in English.
  await loadScript(absolute(links.words)).catch(() => undefined);
  const part = await loadOperationPart(absolute(links.operation), absolute(links.components));
  const site = absolute(links.script).replace(/[^/]*$/, "");
  const dialog = document.createElement("dialog");
  dialog.className = "o-pg";
  const messages = readMessages();
  dialog.ariaLabel = messages.title;
  const { list, selected, secrets } = readEnvironments(absolute(links.components));
  const environment = list.find(({ name }) => name === selected);
  const first = await withComponents(part, () => {
    const draft = firstDraft(part.operation, part.refs, part.data.settings, site);
    return environment
      ? withEnvironment(draft, part.operation, environment, secrets[environment.name])
      : draft;
  });

  document.body.append(dialog);

  render(
    <Panel
      part={part}
      first={first}
      messages={messages}
      site={site}
      documentHref={absolute(links.components)}
      operationHref={absolute(links.operation)}
      proxy={links.proxy === null ? undefined : absolute(links.proxy)}
      redirect={absolute(links.oauth)}
      close={() => dialog.close()}
    />,
    dialog,
  );

  return dialog;
}

/**
 * Calls `create` again until all components that its result refers to have been loaded, or loading fails.
 * Returns the last result.
 */
async function withComponents<T>(part: DocumentPart, create: () => T): Promise<T> {
  let result = create();
  while (await part.loadMissing().catch(() => false)) result = create();
  return result;
}

Object.assign(globalThis, { octavoPlayground: { open } });
