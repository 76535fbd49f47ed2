/** Switches between the tabs of a page. Tabs with the same labels are synchronized. */

import { all } from "./dom.ts";
import { emitShown } from "./shown-event.ts";
import { readStored, writeStored } from "./storage.ts";

const tabsKey = "octavo-tabs";

/** Maximum number of remembered tab labels. */
const rememberedTabs_count = 20;

function recentLabels(): string[] {
  try {
    return JSON.parse(readStored("localStorage", tabsKey) ?? "[]") as string[];
  } catch {
    return [];
  }
}

interface TabSet {
  root: HTMLElement;
  panels: HTMLElement[];
  tabs: HTMLElement[];
  select: HTMLSelectElement | null;
  labels: string[];
  /** Shows one panel, hides the others and calls `emitShown`. */
  show(index: number): void;
}

/**
 * Starts all tabs. A tab that the reader chooses is also shown in other synchronized tabs, and on the next
 * pages.
 */
export function startTabs(): void {
  const sets = all("[data-tabs]").map(tabSet);
  const choose = (label: string, origin: TabSet) => {
    if (origin.root.dataset.tabs !== "sync") return;
    const top = origin.root.getBoundingClientRect().top;
    for (const set of sets) {
      const index = set.labels.indexOf(label);
      if (set !== origin && index >= 0 && set.root.dataset.tabs === "sync") set.show(index);
    }
    // The height of panels above may have changed. Scrolling keeps the clicked tab at its position.
    scrollBy({ top: origin.root.getBoundingClientRect().top - top, behavior: "instant" });
    const labels = [label, ...recentLabels().filter((other) => other !== label)];
    writeStored("localStorage", tabsKey, JSON.stringify(labels.slice(0, rememberedTabs_count)));
  };

  const recent = recentLabels();
  for (const set of sets) {
    listen(set, choose);
    const chosen =
      set.root.dataset.tabs === "sync" ? recent.find((label) => set.labels.includes(label)) : undefined;
    if (chosen !== undefined) set.show(set.labels.indexOf(chosen));
  }
}

let nextId = 0;

/** Returns the tabs in an element. Connects them with their panels by ids and ARIA attributes. */
export function tabSet(root: HTMLElement): TabSet {
  const tabs = all('[role="tab"]', root).filter((tab) => tab.closest("[data-tabs]") === root);
  const select = root.querySelector<HTMLSelectElement>(":scope > select");
  const panels = all(":scope > .o-tab-panel", root);
  tabs.forEach((tab, i) => {
    const panel = panels[i];
    if (!panel) return;
    tab.id ||= `o-tab-${nextId++}`;
    panel.id ||= `${tab.id}-panel`;
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("aria-labelledby", tab.id);
  });

  const set: TabSet = {
    root,
    panels,
    tabs,
    select,
    labels: select
      ? [...select.options].map((option) => option.text)
      : tabs.map((tab) => tab.dataset.label ?? ""),
    show(index) {
      panels.forEach((panel, i) => {
        panel.toggleAttribute("data-off", i !== index);
        // The browser's search finds text in such panels. TypeScript doesn't know this value.
        panel.hidden = (i !== index && "until-found") as boolean;
      });
      tabs.forEach((tab, i) => {
        tab.toggleAttribute("data-on", i === index);
        tab.ariaSelected = String(i === index);
        tab.tabIndex = i === index ? 0 : -1;
      });
      if (select) select.selectedIndex = index;
      emitShown();
    },
  };

  set.show(panels.findIndex((panel) => !panel.matches("[data-off]")));
  return set;
}

function listen(set: TabSet, choose: (label: string, origin: TabSet) => void): void {
  const { root, tabs, select, labels } = set;

  const pick = (index: number) => {
    set.show(index);
    choose(labels[index] ?? "", set);
  };

  tabs.forEach((tab, i) => {
    tab.onclick = () => pick(i);

    tab.onkeydown = (event) => {
      const forward = getComputedStyle(root).direction === "rtl" ? -1 : 1;
      const next = { Home: 0, End: -1, ArrowRight: i + forward, ArrowLeft: i - forward }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const index = (next + tabs.length) % tabs.length;
      pick(index);
      tabs[index]?.focus();
    };
  });

  select?.addEventListener("change", () => pick(select.selectedIndex));
}
