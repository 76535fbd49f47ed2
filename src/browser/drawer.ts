import { onClick } from "./dom.ts";

/** Shows the sidebar as a modal dialog on small screens. */
export function startDrawer(): void {
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  const placeholder = document.createComment("");
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
    sidebar.replaceWith(placeholder);
    drawer.append(close, sidebar);
    document.body.append(drawer);
    drawer.showModal();
    sidebar.querySelector(".o-tree [aria-current]")?.scrollIntoView({ block: "nearest" });
  });
  drawer.addEventListener("click", (event) => {
    const target = event.target as Element;
    // A click on the backdrop has the dialog as its target. A link within this page closes the menu too.
    if (target === drawer || target.closest("a")) drawer.close();
  });
  drawer.addEventListener("close", () => {
    placeholder.replaceWith(sidebar);
    drawer.remove();
  });
  matchMedia("(min-width: 48rem)").addEventListener("change", () => drawer.close());
}
