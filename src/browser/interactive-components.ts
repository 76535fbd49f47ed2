import { startCopyButtons } from "./copy-buttons.ts";
import { startDisclosures } from "./disclosures.ts";
import { startFileTrees } from "./file-trees.ts";
import { startTabs } from "./tabs.ts";
import { startTooltips } from "./tooltips.ts";

/** Starts the interactive components of a page. Their content is readable without scripts. */
export function startComponents(): void {
  startCopyButtons();
  startTabs();
  startDisclosures();
  startTooltips();
  startFileTrees();
}
