import { eventsPath } from "../layout/site-layout.ts";

/**
 * The script that `octavo dev` adds to each page. Reloads the page after a build, and shows errors and folded
 * warnings on top.
 */
export const overlayScript = `(() => {
  const key = "octavo-dev-scroll";
  const saved = sessionStorage.getItem(key);
  if (saved) {
    const [page, top] = JSON.parse(saved);
    sessionStorage.removeItem(key);
    if (page === location.pathname) addEventListener("load", () => scrollTo({ top, behavior: "instant" }));
  }
  let panel;
  const show = (problems) => {
    panel?.remove();
    panel = undefined;
    if (problems.length === 0) return;
    panel = document.createElement("dialog");
    panel.setAttribute("aria-label", "Problems");
    const make = (parent, name, css, text = "") => {
      const element = document.createElement(name);
      element.style.cssText = css;
      element.textContent = text;
      parent.append(element);
      return element;
    };
    // Text in backticks is code.
    const prose = (parent, css, text) => {
      const element = make(parent, "p", css);
      for (const [index, part] of text.split("\\x60").entries()) {
        if (index % 2 === 1) make(element, "code", "padding:.0625rem .25rem;font:.9em/1.5 ui-monospace,monospace;background:#292524;border-radius:4px", part);
        else element.append(part);
      }
    };
    const errors = problems.filter(({ severity }) => severity === "error");
    const warnings = problems.filter(({ severity }) => severity === "warning");
    const counted = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");
    // Warnings alone are a small box until they are unfolded.
    panel.style.cssText = "position:fixed;inset:auto 1rem 1rem auto;margin:0;width:" + (errors.length ? "min(42rem,calc(100vw - 2rem))" : "auto") + ";max-width:min(42rem,calc(100vw - 2rem));max-height:60vh;overflow:auto;padding:0;border:1px solid #57534e;border-top:3px solid " + (errors.length ? "#f87171" : "#fbbf24") + ";border-radius:10px;background:#1c1917;color:#f5f5f4;font:14px/1.5 ui-sans-serif,system-ui,sans-serif;box-shadow:0 12px 40px #0006;z-index:2147483647";
    const list = (parent, listed, color) => {
      for (const problem of listed.slice(0, 10)) {
        const part = make(parent, "section", "padding:.875rem 1rem;border-top:1px solid #44403c");
        const place = [problem.file, problem.line, problem.column].filter((value) => value !== undefined).join(":");
        make(part, "code", "display:inline-block;padding:.0625rem .5rem;font:13px/1.5 ui-monospace,monospace;color:#f5f5f4;background:#292524;border-radius:6px", place);
        prose(part, "margin:.5rem 0;font-weight:600;color:" + color, problem.message);
        if (problem.frame) {
          const frame = make(part, "pre", "margin:.5rem 0;padding:.5rem .75rem;overflow:auto;font:13px/1.6 ui-monospace,monospace;color:#a8a29e;background:#0c0a09;border-radius:6px");
          for (const line of problem.frame.split("\\n")) make(frame, "span", /^\\s*(?:>|\\|)/.test(line) ? "color:" + color : "", line + "\\n");
        }
        if (problem.hint) prose(part, "margin:.5rem 0 0;color:#86efac", problem.hint);
      }
      if (listed.length > 10) make(parent, "p", "margin:0;padding:.625rem 1rem;color:#a8a29e;border-top:1px solid #44403c", listed.length - 10 + " more in the terminal");
    };
    const head = make(panel, "div", "position:sticky;top:0;z-index:1;display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.625rem 1rem;background:#1c1917");
    const folded = warnings.length ? document.createElement("details") : undefined;
    if (errors.length) make(head, "strong", "", counted(errors.length, "error"));
    else head.append(folded);
    make(head, "button", "align-self:start;font:inherit;color:inherit;background:#44403c;border:0;border-radius:6px;padding:.2rem .7rem;cursor:pointer", "Close").onclick = () => panel.close();
    list(panel, errors, "#fca5a5");
    if (folded) {
      if (errors.length) {
        folded.style.cssText = "padding:.625rem 1rem;border-top:1px solid #44403c";
        panel.append(folded);
      }
      const summary = make(folded, "summary", "display:list-item;list-style:inside disclosure-closed;font-weight:600;color:#fcd34d;cursor:pointer", counted(warnings.length, "warning"));
      folded.ontoggle = () => (summary.style.listStyleType = folded.open ? "disclosure-open" : "disclosure-closed");
      list(make(folded, "div", "margin:.625rem -1rem -.625rem"), warnings, "#fde68a");
    }
    document.body.append(panel);
    const focused = document.activeElement;
    panel.show();
    // Opening a dialog moves the focus into it.
    if (focused && focused !== document.body) focused.focus({ preventScroll: true });
    else document.activeElement?.blur();
  };
  const events = new EventSource("/${eventsPath}");
  let connected = false;
  events.onopen = () => {
    if (connected) location.reload();
    connected = true;
  };
  events.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.type === "problems") show(event.problems);
    else {
      sessionStorage.setItem(key, JSON.stringify([location.pathname, scrollY]));
      location.reload();
    }
  };
})();
`;
