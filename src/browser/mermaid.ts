/**
 * Draws the diagrams of a page. Loaded only on pages with diagrams. Without this script, the source of the
 * diagrams is shown.
 */

import mermaid from "mermaid";
import { setMarkup, withStylesByScript } from "./styles-by-script.ts";

type LayoutLoaders = Parameters<typeof mermaid.registerLayoutLoaders>[0];

declare global {
  interface Window {
    /** Set by mermaid-elk.js. */
    octavoElk?: LayoutLoaders;
  }
}

// Mermaid checks links with it. Safari has it since version 17.
URL.canParse ??= (url: string | URL) => {
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
};

/** Whether the content security policy may block inline styles, as on air-gapped sites. */
const hasStrictStyles = document.documentElement.dataset.kind === "air-gapped";
const thisScript = document.currentScript as HTMLScriptElement | null;
/** Diagrams that are taller than this have zoom buttons by default. */
const toolsFrom_px = 120;
/** Maximum length of a diagram's description for screen readers, in characters. */
const label_chars = 300;

const diagrams = [...document.querySelectorAll<HTMLElement>(".o-mermaid")].map((pre) => ({
  pre,
  source: pre.textContent ?? "",
}));

async function start(): Promise<void> {
  if (document.documentElement.classList.contains("o-no-outside")) blockOtherHosts();
  if (
    diagrams.some(({ source }) =>
      /layout["']?\s*:\s*["']?elk|defaultRenderer["']?\s*:\s*["']?elk|flowchart-elk/.test(source),
    )
  )
    await loadElk();
  await drawAll();
  let dark = isDark();
  new MutationObserver(() => {
    if (dark === isDark()) return;
    dark = isDark();
    void drawAll();
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
}

/**
 * Adds a content security policy to the page, because diagrams can load images and styles in many ways, also
 * while they are drawn. Pages of air-gapped builds already have one (engine/plan/air-gapped-policy.ts).
 */
function blockOtherHosts(): void {
  const content = ["img", "style", "font", "media"]
    .map((kind) => `${kind}-src 'self' file: data: blob: 'unsafe-inline'`)
    .join(";");
  const meta = document.createElement("meta");
  document.head.append(Object.assign(meta, { httpEquiv: "Content-Security-Policy", content }));
}

function isDark(): boolean {
  return document.documentElement.classList.contains("dark");
}

/** Returns the site's color mode, and its colors as hex values, the only format that Mermaid supports. */
function siteColors(): Record<string, string | boolean> {
  const probe = document.createElement("i");
  document.body.append(probe);
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const color = (token: string) => {
    probe.style.color = `var(--o-${token})`;
    if (!pixel) return "#888888";
    pixel.fillStyle = getComputedStyle(probe).color;
    pixel.fillRect(0, 0, 1, 1);
    return `#${[...pixel.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };

  const colors = {
    darkMode: isDark(),
    background: color("bg"),
    primaryColor: color("accent-soft"),
    primaryTextColor: color("text-strong"),
    primaryBorderColor: color("accent-line"),
    secondaryColor: color("surface-2"),
    secondaryTextColor: color("text-strong"),
    tertiaryColor: color("surface"),
    tertiaryTextColor: color("text-strong"),
    lineColor: color("text-muted"),
    textColor: color("text"),
    clusterBkg: color("surface"),
    clusterBorder: color("border-strong"),
    edgeLabelBackground: color("surface-2"),
    noteBkgColor: color("warning-surface"),
    noteTextColor: color("warning-text"),
    noteBorderColor: color("warning-line"),
  };

  probe.remove();
  return colors;
}

/**
 * Loads the ELK layout, a separate file because it is large and rarely used. Also resolves if loading fails.
 */
function loadElk(): Promise<void> {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("mermaid-elk.js", thisScript?.src).href;
    script.onload = () => {
      if (window.octavoElk) mermaid.registerLayoutLoaders(window.octavoElk);
      resolve();
    };
    script.onerror = () => resolve();
    document.head.append(script);
  });
}

async function drawAll(): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: "base",
    themeVariables: siteColors(),
    fontFamily: getComputedStyle(document.body).fontFamily,
    suppressErrorRendering: true,
  });
  for (const [i, { pre, source }] of diagrams.entries()) await draw(pre, source, `o-diagram-${i}`);
}

async function draw(pre: HTMLElement, source: string, id: string): Promise<void> {
  const box = pre.parentElement;
  if (!box) return;

  try {
    const { svg } = await (hasStrictStyles
      ? withStylesByScript(id, () => mermaid.render(id, source))
      : mermaid.render(id, source));
    box.querySelector(".o-diagram-drawn")?.remove();
    box.querySelector(".o-diagram-tools")?.remove();
    const drawn = document.createElement("div");
    drawn.className = "o-diagram-drawn";
    drawn.setAttribute("role", "img");
    if (hasStrictStyles) setMarkup(drawn, svg);
    else drawn.innerHTML = svg;
    drawn.setAttribute("aria-label", `${box.dataset.label}: ${describe(drawn)}`);
    box.append(drawn);
    pre.hidden = true;
    const actions = pre.dataset.actions;
    if (actions === "true" || (actions !== "false" && drawn.offsetHeight > toolsFrom_px))
      addTools(box, drawn, pre.dataset.placement);
  } catch {
    // Shows the source of an invalid diagram.
    pre.hidden = false;
  }
}

/**
 * Returns the author's description of the diagram (`accTitle`, `accDescr`), or else the text in the diagram.
 */
function describe(drawn: HTMLElement): string {
  const descriptions = [...drawn.querySelectorAll("svg > title, svg > desc")];
  const elements =
    descriptions.length > 0
      ? descriptions
      : [...drawn.querySelectorAll("svg :is(text, .nodeLabel, .edgeLabel)")];
  const texts = elements.map((element) => element.textContent?.trim()).filter(Boolean);
  return [...new Set(texts)].join(", ").slice(0, label_chars);
}

/** Adds zoom buttons. A zoomed diagram can be dragged. */
function addTools(box: HTMLElement, drawn: HTMLElement, placement = "bottom-right"): void {
  const picture = drawn.querySelector("svg");
  if (!picture) return;
  let scale = 1;
  let x = 0;
  let y = 0;
  const apply = () => {
    picture.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  };

  const zoom = (by: number) => {
    const next = Math.min(6, Math.max(0.4, scale * by));
    const { offsetWidth, offsetHeight } = drawn;
    x = offsetWidth / 2 - ((offsetWidth / 2 - x) * next) / scale;
    y = offsetHeight / 2 - ((offsetHeight / 2 - y) * next) / scale;
    scale = next;
    apply();
  };

  const reset = () => {
    scale = 1;
    x = 0;
    y = 0;
    apply();
  };

  const tools = document.createElement("div");
  tools.className = "o-diagram-tools";
  tools.dataset.placement = placement;

  for (const [sign, label, act] of [
    ["−", box.dataset.zoomOut, () => zoom(1 / 1.3)],
    ["+", box.dataset.zoomIn, () => zoom(1.3)],
    ["↺", box.dataset.reset, reset],
  ] as const) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.ariaLabel = label ?? "";
    button.addEventListener("click", act);
    tools.append(button);
  }

  box.append(tools);

  drawn.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || scale === 1) return;
    drawn.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => {
      x += moved.movementX;
      y += moved.movementY;
      apply();
    };
    drawn.addEventListener("pointermove", move);
    drawn.addEventListener("pointerup", () => drawn.removeEventListener("pointermove", move), { once: true });
  });
}

void start();
