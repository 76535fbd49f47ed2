/**
 * Adds a button that opens the assistant of a documentation site to another website. The panel is loaded when
 * a visitor opens it. Nothing is inline, so that the website's policy only has to allow the documentation
 * site.
 */

import type { WidgetSite } from "../engine/frame/widget-site.ts";
import type { WidgetContext, WidgetPanel } from "./widget/context.ts";

/** The export writes this constant in front of the script. */
declare const octavoWidgetSite: WidgetSite;
declare const octavoWidgetPanel: (context: WidgetContext) => WidgetPanel;
/** Set by the operator file. */
declare const octavoConfig: { assistant?: boolean; analytics?: unknown } | undefined;

/** Maximum number of suggested questions. */
const questions_count = 3;

/** Values of the script's data attributes. The first value is the default. */
const choices = { theme: ["system", "light", "dark"], side: ["right", "left"], button: ["shown", "none"] };

const css = `
:host { all: initial; position: fixed; z-index: 2147483000; inset: 0 0 auto auto; }
:host, .o-launch { font: 500 15px/20px ui-sans-serif, system-ui, sans-serif; }
.o-launch {
  position: fixed; inset: auto max(20px, env(safe-area-inset-right)) max(20px, env(safe-area-inset-bottom)) auto;
  display: flex; gap: 8px; align-items: center; min-height: 48px; margin: 0; padding: 0 20px 0 16px;
  color: var(--o-on-accent, #fff); background: var(--o-accent-solid); border: 0; border-radius: 24px; cursor: pointer;
  box-shadow: 0 1px 2px rgb(0 0 0 / .12), 0 8px 24px -4px rgb(0 0 0 / .28);
}
:host([data-side=left]) .o-launch {
  inset: auto auto max(20px, env(safe-area-inset-bottom)) max(20px, env(safe-area-inset-left));
}
.o-launch:hover { background: var(--o-accent-solid-hover); }
.o-launch:focus-visible { outline: 2px solid var(--o-accent); outline-offset: 3px; }
.o-launch[hidden] { display: none; }
.o-launch[aria-busy=true] { opacity: .75; cursor: progress; }
.o-launch svg { flex: none; width: 20px; height: 20px; }
.o-note {
  position: fixed; inset: auto 20px 80px auto; margin: 0; padding: 6px 12px; color: #fff; background: #1b1d22;
  border-radius: 8px;
}
:host([data-side=left]) .o-note { inset: auto auto 80px 20px; }
.o-note:empty { display: none; }
@media (prefers-reduced-motion: no-preference) { .o-launch { transition: background-color 120ms; } }
@media (forced-colors: active) { .o-launch { border: 1px solid; } }
@media print { :host { display: none !important; } }
`;

class Widget {
  readonly base: string;
  private readonly script: HTMLScriptElement;
  private readonly host = document.createElement("octavo-widget");
  private readonly root = this.host.attachShadow({ mode: "open" });
  private readonly button = document.createElement("button");
  private readonly note = document.createElement("p");
  private readonly language: string;
  private panel: Promise<WidgetPanel> | undefined;
  private opener: HTMLElement | null = null;
  private isOpen = false;

  constructor(script: HTMLScriptElement) {
    this.script = script;
    this.base = new URL("../", script.src).href;
    const { language, languages } = octavoWidgetSite;
    const wanted = script.dataset.language;
    this.language = wanted !== undefined && Object.hasOwn(languages, wanted) ? wanted : language;
    if (wanted !== undefined && wanted !== this.language)
      warn(`data-language must be one of ${Object.keys(languages).join(", ")}`);
  }

  /** Adds the button, unless the operator of the documentation site turned off the assistant. */
  async start(): Promise<void> {
    await this.load(octavoWidgetSite.operator);
    if (octavoConfig?.assistant !== true) return warn("the assistant of the documentation site is off");
    if (!document.body)
      await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));

    this.draw();
    document.body.append(this.host);
    const api = {
      open: () => void this.open(),
      close: () => void this.close(),
      ask: (question: string) => void this.open(String(question)),
    };
    Object.assign(window, { octavoWidget: api });
    this.report("ready");
  }

  private draw(): void {
    const { host, root, button, note } = this;
    const { label, direction } = octavoWidgetSite.languages[this.language]!;
    host.lang = this.language;
    host.dir = direction;
    host.dataset.side = this.choice("side");
    this.followColorMode();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(octavoWidgetSite.css + css);
    root.adoptedStyleSheets = [sheet];

    button.type = "button";
    button.className = "o-launch";
    button.hidden = this.choice("button") === "none";
    button.setAttribute("aria-haspopup", "dialog");
    button.append(sparkle(), label);
    button.onclick = () => void this.open();
    note.className = "o-note";
    note.role = "status";
    root.append(button, note);
  }

  private followColorMode(): void {
    const theme = this.choice("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = () =>
      this.host.classList.toggle("dark", theme === "dark" || (theme === "system" && system.matches));
    system.addEventListener("change", apply);
    apply();
  }

  /** Returns the value of a data attribute of the script. An unknown value is reported, and not used. */
  private choice(name: keyof typeof choices): string {
    const value = this.script.dataset[name];
    const [initial] = choices[name];
    if (value === undefined || choices[name].includes(value)) return value ?? initial!;
    warn(`data-${name} must be one of ${choices[name].join(", ")}`);
    return initial!;
  }

  /** Returns the suggested questions, which a line break or `|` separates in their attribute. */
  private questions(): string[] {
    const texts = (this.script.dataset.questions ?? "").split(/[|\n]/).map((text) => text.trim());
    return texts.filter((text) => text !== "").slice(0, questions_count);
  }

  async open(question?: string): Promise<void> {
    const { button, note } = this;
    if (!this.isOpen) this.opener = document.activeElement as HTMLElement | null;
    note.textContent = "";
    button.ariaBusy = "true";
    try {
      this.panel ??= this.loadPanel();
      const panel = await this.panel;
      const wasOpen = this.isOpen;
      this.isOpen = true;
      button.hidden = true;
      panel.open(question);
      if (!wasOpen) this.report("open");
    } catch {
      this.panel = undefined;
      note.textContent = octavoWidgetSite.languages[this.language]!.failed;
    }
    button.ariaBusy = null;
  }

  async close(): Promise<void> {
    (await this.panel)?.close();
  }

  private async loadPanel(): Promise<WidgetPanel> {
    const { language, base, root } = this;
    const site = octavoWidgetSite;
    await Promise.all([this.load(site.languages[language]!.messages), this.load(site.panel)]);
    return octavoWidgetPanel({
      site,
      base,
      language,
      root,
      version: this.script.dataset.version,
      questions: this.questions(),
      hasFeedback: site.hasFeedback && octavoConfig?.analytics === true,
      onAsk: () => this.report("ask"),
      onClose: () => this.closed(),
    });
  }

  private closed(): void {
    const { button, host, opener } = this;
    this.isOpen = false;
    button.hidden = this.choice("button") === "none";
    if (opener && opener !== host && opener !== document.body) opener.focus({ preventScroll: true });
    else button.focus({ preventScroll: true });
    this.report("close");
  }

  /** Sends an event to the website, such as `octavo:open`. It doesn't contain questions or answers. */
  private report(type: string): void {
    window.dispatchEvent(new CustomEvent(`octavo:${type}`));
  }

  /** Loads a classic script of the documentation site. Rejects if it can't be loaded. */
  private load(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.nonce = this.script.nonce;
      script.src = this.base + path;
      script.onload = () => resolve();
      script.onerror = () => {
        script.remove();
        reject(new Error(script.src));
      };
      document.head.append(script);
    });
  }
}

function sparkle(): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("fill", "none");
  svg.setAttribute("stroke", "currentColor");
  svg.setAttribute("stroke-width", "2");
  svg.setAttribute("stroke-linejoin", "round");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute(
    "d",
    "M12 3.5c.6 4.6 3.4 7.4 8 8-4.6.6-7.4 3.4-8 8-.6-4.6-3.4-7.4-8-8 4.6-.6 7.4-3.4 8-8z",
  );
  svg.append(path);
  return svg;
}

function warn(text: string): void {
  console.warn(`Octavo widget: ${text}`);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !document.querySelector("octavo-widget"))
  new Widget(script).start().catch(() => warn("the documentation site can't be reached"));
