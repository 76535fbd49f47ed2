/** What a person does on a page in a browser that is driven with WebDriver, by the roles and names of elements. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../engine/build.ts";
import { until } from "../service/until.ts";
import type { Driver } from "./webdriver.ts";

/** Computes roles and names. */
const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");

const keys: Record<string, string> = {
  ArrowDown: "\uE015",
  Control: "\uE009",
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
};

/** Selects an element with the role and the name. A text must be the whole name. */
export type Target = [role: string, name: string | RegExp];

/** Runs in the page. Returns the visible elements with a role, and their names. */
const find = `
  const { aria, text } = axe.commons;
  axe.teardown();
  axe.setup(document);
  try {
    return [...document.querySelectorAll("a, button, input, select, option, textarea, summary, h1, h2, [role]")].flatMap((element) => {
      const role = element.localName === "summary" ? "button" : aria.getRole(element);
      if (role !== arguments[0]) return [];
      if (role !== "option" && !element.checkVisibility({ visibilityProperty: true })) return [];
      // axe doesn't know that styles can show the content of a closed details element.
      const name = text.accessibleText(element) || (element.labels?.[0] ?? element).innerText;
      return [{ element, name: name.replace(/\\s+/g, " ").trim() }];
    });
  } finally {
    axe.teardown();
  }`;

/** Runs in the page. Drivers scroll smoothly, if the page does, and don't wait for the end. */
const scrollTo = `
  const { top, bottom } = arguments[0].getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) arguments[0].scrollIntoView({ block: "center", behavior: "instant" });`;

interface Found {
  element: Record<string, string>;
  name: string;
}

/** An element as a parameter of a command. */
const elementOf = (id: string) => ({ "element-6066-11e4-a52e-4f735466cecf": id });

const idOf = (found: readonly Found[], name: string | RegExp): string | undefined => {
  const match = found.find((each) => (typeof name === "string" ? each.name === name : name.test(each.name)));
  return match && Object.values(match.element)[0];
};

export class Tab {
  constructor(private readonly driver: Driver) {}

  get browser() {
    return this.driver.name;
  }

  async open(url: string): Promise<void> {
    await this.driver.send("open", { url });
  }

  async reload(): Promise<void> {
    await this.driver.send("reload");
  }

  async back(): Promise<void> {
    await this.driver.send("back");
  }

  /** Runs the body of a function in the page, and resolves with what it returns. */
  async run<Result>(script: string, ...args: unknown[]): Promise<Result> {
    return (await this.driver.send("run", { script, args })) as Result;
  }

  /** Waits until the script returns a value other than false, null, and undefined. */
  async waitFor<Result>(what: string, script: string, ...args: unknown[]): Promise<Result> {
    let found: Result | undefined;
    const isFound = async () => {
      // A page that is being left can't run scripts.
      found = await this.run<Result | undefined>(script, ...args).catch(() => undefined);
      return found !== undefined && found !== null && found !== false;
    };
    await until(isFound, 10_000, 50).catch(async () => {
      throw new Error(`${what} isn't on ${await this.text()}`);
    });
    return found!;
  }

  async sees(text: string): Promise<void> {
    await this.waitFor(text, "return document.body.innerText.includes(arguments[0])", text);
  }

  async isAt(url: string): Promise<void> {
    await this.waitFor(
      `The URL ${url}`,
      "return location.href === arguments[0] && document.readyState === 'complete'",
      url,
    );
  }

  async click(...target: Target): Promise<void> {
    await this.withElement(target, (id) => this.driver.send("click", { id }));
  }

  async fill(name: string, text: string, role = "textbox"): Promise<void> {
    await this.withElement([role, name], async (id) => {
      await this.driver.send("clear", { id });
      await this.driver.send("fill", { id, text });
    });
  }

  /** Selects an option of a select element. */
  async choose(name: string, option: string | RegExp): Promise<void> {
    await this.withElement(["combobox", name], async (id) => {
      const options = await this.run<Found[]>(
        "return [...arguments[0].options].map((element) => ({ element, name: element.label }))",
        elementOf(id),
      );
      await this.driver.send("click", { id: idOf(options, option) });
    });
  }

  /** Waits for the element. */
  async finds(...target: Target): Promise<void> {
    await this.withElement(target, async () => {});
  }

  /** Presses a key, such as "Enter", or keys together, such as "Control+i". */
  async press(combination: string): Promise<void> {
    const values = combination.split("+").map((key) => keys[key] ?? key);
    await this.actWithKeys([
      ...values.map((value) => ({ type: "keyDown", value })),
      ...values.toReversed().map((value) => ({ type: "keyUp", value })),
    ]);
  }

  async type(text: string): Promise<void> {
    await this.actWithKeys(
      [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
    );
  }

  /** Moves the pointer to the element. */
  async pointAt(...target: Target): Promise<void> {
    await this.withElement(target, async (id) => {
      const move = { type: "pointerMove", origin: elementOf(id), x: 0, y: 0, duration: 0 };
      await this.driver.send("act", { actions: [{ type: "pointer", id: "mouse", actions: [move] }] });
    });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.driver.send("resize", { x: 0, y: 0, width, height });
    await this.waitFor(`A width of ${width}`, "return innerWidth === arguments[0]", width);
  }

  async hasNoSidewaysScroll(): Promise<void> {
    await this.waitFor(
      "A page that is as wide as the window",
      "return document.readyState === 'complete' && document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    );
  }

  /** Waits for a second window, and visits it. */
  async inOtherWindow(visit: () => Promise<void>): Promise<void> {
    const handle = await this.driver.send("window");
    let other: unknown;
    await until(async () => {
      other = ((await this.driver.send("windows")) as unknown[]).find((each) => each !== handle);
      return other !== undefined;
    });
    await this.driver.send("enterWindow", { handle: other });
    await visit();
    await this.driver.send("enterWindow", { handle });
  }

  /** Resolves with a PDF. */
  async print(): Promise<Buffer> {
    return Buffer.from((await this.driver.send("print", { background: false })) as string, "base64");
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.driver.send("screenshot", { full: false })) as string, "base64");
  }

  private async actWithKeys(actions: object[]): Promise<void> {
    await this.driver.send("act", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** Waits for an element, and does something with it, again if the page has replaced the element. */
  private async withElement([role, name]: Target, act: (id: string) => Promise<unknown>): Promise<void> {
    let found: Found[] = [];
    let problem = "";
    const isDone = async () => {
      if (!(await this.run("return 'axe' in window"))) await this.run(`${axe}; window.axe = axe`);
      found = await this.run<Found[]>(find, role);
      const id = idOf(found, name);
      if (id === undefined) return false;
      await this.run(scrollTo, elementOf(id));
      await act(id);
      return true;
    };
    const isDoneNow = () =>
      isDone().catch((error) => {
        problem = error.message;
        return false;
      });
    await until(isDoneNow, 10_000, 50).catch(async () => {
      const names = found.map((each) => each.name).join(", ");
      throw new Error(`No ${role} "${name}" on ${await this.text()}\nThere are: ${names}\n${problem}`);
    });
  }

  /** URL and text of the page, for errors. */
  private async text(): Promise<string> {
    const text = await this.run<string>("return location.href + '\\n' + document.body.innerText").catch(
      String,
    );
    return text.slice(0, 2_000);
  }
}
