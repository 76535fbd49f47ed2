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
    panel.style.cssText = "position:fixed;inset:auto 1rem 1rem auto;margin:0;width:min(46rem,calc(100vw - 2rem));max-height:70vh;overflow:auto;padding:1rem 1.25rem;border:0;border-radius:10px;background:#1c1917;color:#f5f5f4;font:14px/1.5 ui-monospace,monospace;box-shadow:0 12px 40px #0006;z-index:2147483647";
    const close = document.createElement("button");
    close.textContent = "Close";
    close.style.cssText = "float:right;font:inherit;color:inherit;background:#44403c;border:0;border-radius:6px;padding:.2rem .7rem;cursor:pointer";
    close.onclick = () => panel.close();
    panel.append(close);
    for (const problem of problems.slice(0, 10)) {
      const title = document.createElement("p");
      title.style.cssText = "margin:.6rem 0;color:#fca5a5";
      title.textContent = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":") + "  " + problem.message;
      panel.append(title);
      if (problem.frame) {
        const frame = document.createElement("pre");
        frame.style.cssText = "margin:.4rem 0;overflow:auto;color:#d6d3d1";
        frame.textContent = problem.frame;
        panel.append(frame);
      }
      if (problem.hint) {
        const hint = document.createElement("p");
        hint.style.cssText = "margin:.4rem 0 1rem;color:#86efac";
        hint.textContent = problem.hint;
        panel.append(hint);
      }
    }
    document.body.append(panel);
    panel.show();
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
