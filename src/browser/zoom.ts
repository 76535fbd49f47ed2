import { all } from "./dom.ts";

/** Shows images enlarged in a dialog. A click or Escape closes the dialog. */
export function startZoom(): void {
  for (const image of all<HTMLImageElement>("img[data-zoom]")) {
    image.tabIndex = 0;
    image.role = "button";
    image.onclick = () => enlarge(image);
    image.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      enlarge(image);
    };
  }
}

function enlarge(image: HTMLImageElement): void {
  const dialog = document.createElement("dialog");
  dialog.className = "o-zoom";
  dialog.ariaLabel = image.alt;
  const close = document.createElement("button");
  close.type = "button";
  close.ariaLabel = document.body.dataset.close ?? "";
  close.innerHTML = '<i class="o-c o-c-x"></i>';
  const large = new Image(image.naturalWidth, image.naturalHeight);
  large.src = image.currentSrc || image.src;
  large.alt = image.alt;
  dialog.append(large, close);
  dialog.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}
