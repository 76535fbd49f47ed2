import { all, announce, copyText, emitShown, onClick } from "./dom.ts";
import { readStored, writeStored } from "./storage.ts";

/** Starts the interactive components of a page. Their content is readable without scripts. */
export function startComponents(): void {
  startCopyButtons();
  startTabs();
  startDisclosures();
  startTooltips();
  startFileTrees();
}

/** How long a button shows the copied state. */
const copied_ms = 1_600;

function startCopyButtons(): void {
  onClick("[data-copy]", async (button) => {
    if (button.hasAttribute("data-copied") || !(await copyText(button.dataset.copy || codeOf(button)))) return;
    announce(button.dataset.done);
    button.setAttribute("data-copied", "");
    const label = button.childElementCount === 0 ? button.textContent : "";
    if (label) button.textContent = button.dataset.done ?? "";
    setTimeout(() => {
      button.removeAttribute("data-copied");
      if (label) button.textContent = label;
    }, copied_ms);
  });
}

function codeOf(button: HTMLElement): string {
  return button.closest(".o-code, .o-prompt")?.querySelector("pre")?.textContent ?? "";
}

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
  labels: string[];
  show(index: number): void;
}

function startTabs(): void {
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
    const chosen = set.root.dataset.tabs === "sync" ? recent.find((label) => set.labels.includes(label)) : undefined;
    if (chosen !== undefined) set.show(set.labels.indexOf(chosen));
  }
}

let nextId = 0;

function tabSet(root: HTMLElement): TabSet {
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
  return {
    root,
    labels: select ? [...select.options].map((option) => option.text) : tabs.map((tab) => tab.dataset.label ?? ""),
    show(index) {
      panels.forEach((panel, i) => {
        panel.toggleAttribute("data-off", i !== index);
      });
      tabs.forEach((tab, i) => {
        tab.setAttribute("aria-selected", String(i === index));
        tab.tabIndex = i === index ? 0 : -1;
      });
      if (select) select.selectedIndex = index;
      emitShown();
    },
  };
}

function listen(set: TabSet, choose: (label: string, origin: TabSet) => void): void {
  const tabs = all('[role="tab"]', set.root).filter((tab) => tab.closest("[data-tabs]") === set.root);
  const pick = (index: number) => {
    set.show(index);
    choose(set.labels[index] ?? "", set);
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => pick(i));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const forward = getComputedStyle(set.root).direction === "rtl" ? -1 : 1;
      const next =
        event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : step && (i + step * forward + tabs.length) % tabs.length;
      if (next === undefined) return;
      event.preventDefault();
      pick(next);
      tabs[next]?.focus();
    });
  });
  const select = set.root.querySelector<HTMLSelectElement>(":scope > select");
  select?.addEventListener("change", () => pick(select.selectedIndex));
}

/** Opens the disclosures and tabs that contain the target of the URL's fragment. */
function reveal(): void {
  const id = decoded(location.hash.slice(1));
  const target = id ? document.getElementById(id) : null;
  if (!target) return;
  let hidden = false;
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) {
      element.open = true;
      hidden = true;
    } else if (element.matches(".o-tab-panel[data-off]")) {
      const panels = all(":scope > .o-tab-panel", element.parentElement!);
      tabSet(element.parentElement!).show(panels.indexOf(element as HTMLElement));
      hidden = true;
    }
  }
  if (hidden) target.scrollIntoView();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function startDisclosures(): void {
  for (const accordion of all<HTMLDetailsElement>("details.o-accordion[id]")) {
    accordion.addEventListener("toggle", () => {
      const hash = `#${accordion.id}`;
      if (accordion.open) history.replaceState(history.state, "", hash);
      else if (decoded(location.hash) === hash) history.replaceState(history.state, "", location.pathname + location.search);
    });
  }
  addEventListener("hashchange", reveal);
  reveal();
}

function startTooltips(): void {
  all(".o-tooltip").forEach((tooltip, i) => {
    const term = tooltip.querySelector<HTMLElement>(".o-tooltip-term");
    const card = tooltip.querySelector<HTMLElement>(".o-tooltip-card");
    if (!term || !card) return;
    card.id ||= `o-tip-${i}`;
    term.setAttribute("aria-describedby", card.id);
    const place = () => {
      tooltip.removeAttribute("data-closed");
      card.style.removeProperty("--shift");
      const { left, right } = card.getBoundingClientRect();
      const shift = left < 8 ? 8 - left : Math.min(0, document.documentElement.clientWidth - 8 - right);
      card.style.setProperty("--shift", `${shift}px`);
    };
    tooltip.addEventListener("pointerenter", place);
    tooltip.addEventListener("focusin", place);
    tooltip.addEventListener("keydown", (event) => {
      if (event.key === "Escape") tooltip.setAttribute("data-closed", "");
    });
  });
}

/** Lets readers move through file trees with the arrow keys. */
function startFileTrees(): void {
  for (const tree of all(".o-files")) {
    tree.addEventListener("keydown", (event) => {
      const summary = (event.target as Element).closest("summary");
      const folder = summary?.parentElement as HTMLDetailsElement | null | undefined;
      if (!summary || !folder) return;
      const shown = all("summary", tree).filter((other) => other.getClientRects().length > 0);
      const position = shown.indexOf(summary);
      if (event.key === "ArrowDown") shown[position + 1]?.focus();
      else if (event.key === "ArrowUp") shown[position - 1]?.focus();
      else if (event.key === "ArrowRight") folder.open = true;
      else if (event.key === "ArrowLeft" && folder.open) folder.open = false;
      else if (event.key === "ArrowLeft") folder.parentElement?.closest("details")?.querySelector("summary")?.focus();
      else return;
      event.preventDefault();
    });
  }
}
