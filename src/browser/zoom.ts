import { all, create, createCloseButton } from "./dom.ts";

/** Shows images enlarged in a dialog. A click or Escape closes the dialog. */
export function startZoom(): void {
  for (const image of all<HTMLImageElement>("img[data-zoom]")) {
    image.tabIndex = 0;
    image.role = "button";
    // A button needs a name, and the text alternative of an image may be empty.
    image.alt ||= captionOf(image) || image.title || image.dataset.zoom!;
    image.onclick = () => enlarge(image);
    image.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      enlarge(image);
    };
  }
}

function captionOf(image: HTMLElement): string | undefined {
  return image.closest("figure")?.querySelector("figcaption")?.innerText.trim();
}

function enlarge(image: HTMLImageElement): void {
  const dialog = create("dialog", { className: "o-zoom", ariaLabel: image.alt });
  const large = new Image(image.naturalWidth, image.naturalHeight);
  large.src = image.currentSrc || image.src;
  large.alt = image.alt;
  dialog.append(large, createCloseButton(dialog));
  dialog.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}
