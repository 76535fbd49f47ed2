import { eventsPath } from "../layout/site-layout.ts";

/** The script that `octavo dev` adds to each page. Reloads the page after a build, and shows errors on top of the page. */
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
    panel.style.cssText = "position:fixed;inset:auto 1rem 1rem auto;margin:0;width:min(42rem,calc(100vw - 2rem));max-height:60vh;overflow:auto;padding:0;border:1px solid #57534e;border-top:3px solid #f87171;border-radius:10px;background:#1c1917;color:#f5f5f4;font:14px/1.5 ui-sans-serif,system-ui,sans-serif;box-shadow:0 12px 40px #0006;z-index:2147483647";
    const head = make(panel, "div", "position:sticky;top:0;display:flex;align-items:center;justify-content:space-between;padding:.625rem 1rem;background:#1c1917;border-bottom:1px solid #44403c");
    make(head, "strong", "", problems.length === 1 ? "1 error" : problems.length + " errors");
    make(head, "button", "font:inherit;color:inherit;background:#44403c;border:0;border-radius:6px;padding:.2rem .7rem;cursor:pointer", "Close").onclick = () => panel.close();
    for (const problem of problems.slice(0, 10)) {
      const part = make(panel, "section", "padding:.875rem 1rem;border-bottom:1px solid #292524");
      const place = [problem.file, problem.line, problem.column].filter((value) => value !== undefined).join(":");
      make(part, "code", "display:inline-block;padding:.0625rem .5rem;font:13px/1.5 ui-monospace,monospace;background:#292524;border-radius:6px", place);
      make(part, "p", "margin:.5rem 0;font-weight:600;color:#fca5a5", problem.message);
      if (problem.frame) {
        const frame = make(part, "pre", "margin:.5rem 0;padding:.5rem .75rem;overflow:auto;font:13px/1.6 ui-monospace,monospace;color:#a8a29e;background:#0c0a09;border-radius:6px");
        for (const line of problem.frame.split("\\n")) make(frame, "span", /^\\s*(?:>|\\|)/.test(line) ? "color:#fecaca" : "", line + "\\n");
      }
      if (problem.hint) make(part, "p", "margin:.5rem 0 0;color:#86efac", problem.hint);
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
