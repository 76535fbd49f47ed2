import { onClick } from "./dom.ts";

/** On small screens the sidebar is a dialog: the browser traps the focus, makes the rest inert and closes it by Escape. */
export function startDrawer(): void {
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  const place = document.createComment("");
  const drawer = document.createElement("dialog");
  drawer.className = "o-drawer";
  const close = document.createElement("button");
  close.type = "button";
  close.ariaLabel = document.body.dataset.close ?? "";
  close.innerHTML = '<i class="o-c o-c-x"></i>';
  close.onclick = () => drawer.close();

  onClick(".o-menu-button", (button, event) => {
    event.preventDefault();
    drawer.ariaLabel = button.ariaLabel;
    sidebar.replaceWith(place);
    drawer.append(close, sidebar);
    document.body.append(drawer);
    drawer.showModal();
    sidebar.querySelector(".o-tree [aria-current]")?.scrollIntoView({ block: "nearest" });
  });
  drawer.addEventListener("click", (event) => {
    const target = event.target as Element;
    // The backdrop belongs to the dialog; a link to a place on this page leaves the menu too.
    if (target === drawer || target.closest("a")) drawer.close();
  });
  drawer.addEventListener("close", () => {
    place.replaceWith(sidebar);
    drawer.remove();
  });
  matchMedia("(min-width: 48rem)").addEventListener("change", () => drawer.close());
}
