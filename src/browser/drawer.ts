import { create, createCloseButton, onClick } from "./dom.ts";
import { showCurrent } from "./sidebar.ts";

/** Starts the button that shows the sidebar as a modal dialog on small screens. */
export function startDrawer(): void {
  const sidebar = document.querySelector(".o-tree")?.parentElement;
  if (!sidebar) return;
  const placeholder = document.createComment("");
  const drawer = create("dialog", { className: "o-drawer" });
  const close = createCloseButton(drawer);

  onClick(".o-menu-button", (button, event) => {
    event.preventDefault();
    drawer.ariaLabel = button.ariaLabel;
    sidebar.replaceWith(placeholder);
    drawer.append(close, sidebar);
    document.body.append(drawer);
    drawer.showModal();
    showCurrent(sidebar, drawer);
  });

  drawer.onclick = (event) => {
    const target = event.target as Element;
    // A click on the backdrop has the dialog as its target. A click on a link closes the drawer too.
    if (target === drawer || target.closest("a")) drawer.close();
  };

  drawer.onclose = () => {
    placeholder.replaceWith(sidebar);
    drawer.remove();
  };

  matchMedia("(min-width: 48rem)").addEventListener("change", () => drawer.close());
}
