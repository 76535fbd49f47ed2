/**
 * Keeps resets in authors' style sheets, such as Tailwind's, from removing the styles of Octavo's own
 * elements. Octavo's rules are in cascade layers, so any other rule overrides them, including
 * `h2 { font-size: inherit }`.
 */

import { cssTextSource } from "./css-text.ts";

interface Rule {
  /** Offsets of the selector's start, and of the end of the rule after its `}`. */
  start: number;
  end: number;
  selector: string;
  declarations: string[];
}

const token = new RegExp(`${cssTextSource}|[{};]`, "gs");
/** At-rules whose content is rules. */
const groupRule = /^\s*@(?:media|supports|layer|container)\b/;
const typeSelectors = /^[\w*:-]+(?:\s*,\s*[\w*:-]+)*$/;
const resetValue =
  /^(?:inherit|initial|unset|revert|none|normal|auto|transparent|currentcolor|collapse|border-box|solid|baseline|(?:0|100%|1em)(?:px|rem|em|%)?)$/i;
const spacing = /^(?:margin|padding|border)/;
const heading = /(?:^|[\s,])h[1-6](?![\w-])/;

/**
 * Moves the declarations with which a style sheet resets elements to the layer `reset`, below Octavo's
 * styles. Declarations with other values stay where they are. Returns other style sheets unchanged.
 */
export function withLayeredResets(css: string): string {
  const rules = [...rulesIn(css)].filter(({ selector }) => typeSelectors.test(plain(selector)));
  if (!rules.some(isReset)) return css;

  let changed = "";
  let done = 0;
  for (const { start, end, selector, declarations } of rules) {
    const resetting = declarations.filter((declaration) => resets(declaration, selector));
    if (resetting.length === 0) continue;
    const others = declarations.filter((declaration) => !resetting.includes(declaration));
    changed += `${css.slice(done, start)}@layer reset{${selector}{${resetting.join(";")}}}`;
    if (others.length > 0) changed += `${selector}{${others.join(";")}}`;
    done = end;
  }
  return changed + css.slice(done);
}

/** Yields rules without nested rules, functions, and strings, at the top and in rules such as `@media`. */
function* rulesIn(css: string): Generator<Rule> {
  const open: { start: number; bodyStart: number; isGroup: boolean; hasRules: boolean }[] = [];
  /** Number of open blocks whose content isn't rules. */
  let others_count = 0;
  let start = 0;

  for (const { 0: text, index } of css.matchAll(token)) {
    const end = index + text.length;
    if (text === "{") {
      const isGroup = groupRule.test(plain(css.slice(start, index)));
      const around = open.at(-1);
      if (around) around.hasRules = true;
      open.push({ start, bodyStart: end, isGroup, hasRules: false });
      if (!isGroup) others_count++;
    } else if (text === "}") {
      const block = open.pop();
      if (block && !block.isGroup) {
        others_count--;
        const body = css.slice(block.bodyStart, index);
        if (!block.hasRules && others_count === 0 && !/["'(]/.test(body)) {
          const declarations = plain(body).split(/\s*;\s*/);
          yield {
            start: block.start,
            end,
            selector: css.slice(block.start, block.bodyStart - 1),
            declarations: declarations.filter(Boolean),
          };
        }
      }
    }
    // A rule starts after the comments above it.
    const isAbove = text.startsWith("/*") && index - start < 100 && css.slice(start, index).trim() === "";
    if (isAbove || /[{};]/.test(text[0]!)) start = end;
  }
}

/** Returns CSS without comments and parentheses. */
function plain(css: string): string {
  return css
    .replace(/\/\*(?:[^*]|\*(?!\/))*\*\//g, " ")
    .replace(/\([^()]*\)/g, "")
    .trim();
}

/** Whether a rule resets the spacing of all elements, or the size of headings. */
function isReset({ selector, declarations }: Rule): boolean {
  return declarations.some((declaration) => {
    if (!resets(declaration, selector)) return false;
    return (
      (selector.includes("*") && spacing.test(declaration)) ||
      (heading.test(selector) && /^font(?:-size)?\s*:/.test(declaration))
    );
  });
}

/** Whether a declaration has a value that removes styles. Borders of all elements are invisible ones. */
function resets(declaration: string, selector: string): boolean {
  const [property = "", value = ""] = declaration.split(/\s*:\s*/);
  if (property.startsWith("-")) return false;
  if (selector.includes("*") && property.startsWith("border")) return !value.includes("!");
  return value.split(/\s+/).every((one) => resetValue.test(one));
}
