import { all } from "./dom.ts";

/** Lets readers move through file trees with the arrow keys. */
export function startFileTrees(): void {
  for (const tree of all(".o-files")) {
    tree.onkeydown = (event) => {
      const summary = (event.target as Element).closest("summary");
      const folder = summary?.parentElement as HTMLDetailsElement | null | undefined;
      if (!summary || !folder) return;
      const shown = all("summary", tree).filter((other) => other.getClientRects().length > 0);
      const position = shown.indexOf(summary);
      if (event.key === "ArrowDown") shown[position + 1]?.focus();
      else if (event.key === "ArrowUp") shown[position - 1]?.focus();
      else if (event.key === "ArrowRight") folder.open = true;
      else if (event.key === "ArrowLeft" && folder.open) folder.open = false;
      else if (event.key === "ArrowLeft")
        folder.parentElement?.closest("details")?.querySelector("summary")?.focus();
      else return;
      event.preventDefault();
    };
  }
}
