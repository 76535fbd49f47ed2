import { all } from "./dom.ts";

/**
 * Keeps the cards of tooltips inside the window, describes their terms to screen readers, and closes a card
 * on Escape.
 */
export function startTooltips(): void {
  all(".o-tooltip").forEach((tooltip, i) => {
    const term = tooltip.querySelector<HTMLElement>(".o-tooltip-term");
    const card = tooltip.querySelector<HTMLElement>(".o-tooltip-card");
    if (!term || !card) return;

    card.id ||= `o-tip-${i}`;
    term.setAttribute("aria-describedby", card.id);

    const place = () => {
      tooltip.removeAttribute("data-closed");
      card.style.removeProperty("--o-shift");
      const { left, right } = card.getBoundingClientRect();
      const shift = left < 8 ? 8 - left : Math.min(0, document.documentElement.clientWidth - 8 - right);
      card.style.setProperty("--o-shift", `${shift}px`);
    };

    tooltip.onpointerenter = place;
    tooltip.addEventListener("focusin", place);
    tooltip.onkeydown = (event) => {
      if (event.key === "Escape") tooltip.setAttribute("data-closed", "");
    };
  });
}
