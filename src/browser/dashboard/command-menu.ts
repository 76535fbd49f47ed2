import { all, onClick } from "../dom.ts";
import { isShortcut } from "../keyboard.ts";

/**
 * Starts the command menu: Control K, Command K and its button open it. Typing filters its links, and the
 * arrow keys select one.
 */
export function startCommandMenu(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#commands");
  if (!dialog) return;
  const field = dialog.querySelector("input")!;
  const list = dialog.querySelector<HTMLElement>("[role=listbox]")!;
  const options = all<HTMLAnchorElement>("[role=option]", list);
  const shown = () => options.filter(({ hidden }) => !hidden);
  const selected = () => options.findIndex(({ ariaSelected }) => ariaSelected === "true");

  const select = (option: HTMLElement | undefined) => {
    for (const other of options) other.ariaSelected = String(other === option);
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  };

  const filter = () => {
    const words = wordsOf(field.value);
    for (const option of options)
      option.hidden = !words.every((word) => searchedText(option).includes(` ${word}`));
    for (const group of all("[role=group]", list))
      group.hidden = !group.querySelector("[role=option]:not([hidden])");
    const { length } = shown();
    dialog.querySelector<HTMLElement>(".d-commands-none")!.hidden = length > 0;
    dialog.querySelector("[role=status]")!.textContent = words.length
      ? `${length} ${length === 1 ? "result" : "results"}`
      : "";
    select(shown()[0]);
    list.scrollTop = 0;
  };

  const open = () => {
    if (dialog.open) return;
    field.value = "";
    filter();
    dialog.showModal();
  };

  const move = (step: 1 | -1) => {
    const entries = shown();
    const next = entries.at((entries.indexOf(options[selected()]!) + step) % entries.length);
    select(next);
    // The heading of the first group is above its first entry.
    if (next === entries[0]) list.scrollTop = 0;
    else next?.scrollIntoView({ block: "nearest" });
  };

  onClick("[data-commands]", open);

  document.addEventListener("keydown", (event) => {
    if (!isShortcut(event, "k")) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!document.querySelector("dialog[open]")) open();
  });

  field.addEventListener("input", filter);

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") options[selected()]?.click();
    else return;
    event.preventDefault();
  });

  list.addEventListener("pointermove", ({ target }) =>
    select((target as Element).closest<HTMLElement>("[role=option]") ?? undefined),
  );

  // The dialog closes before the browser follows the link, so that a link to a field of this page can focus
  // it. A click on the backdrop has the dialog as its target.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target as Element).closest("a, button")) dialog.close();
  });
  if (/Mac|iP(?:hone|ad)/.test(navigator.platform))
    for (const key of all("[data-commands] kbd")) key.dataset.keys = "⌘ K";
}

/** The text of an entry and the title of its group, with a space before each word. */
function searchedText(option: HTMLElement): string {
  return [
    "",
    ...wordsOf(`${option.textContent} ${option.parentElement!.firstElementChild!.textContent}`),
  ].join(" ");
}

function wordsOf(text: string | null): string[] {
  return text?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
