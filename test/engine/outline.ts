/** Creates a text outline of a page: its head, the text of each landmark, and links with their URLs. */

interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

const voidTags = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const blocks = new Set(
  "html head body header main nav footer section article aside figure figcaption details summary div p pre ul ol li dl table thead tbody tr h1 h2 h3 h4 h5 h6 title".split(
    " ",
  ),
);

/** Parses HTML in which every element is closed. */
export function parseHtml(html: string): Element {
  const top: Element = { tag: "", attributes: {}, children: [] };
  const open = [top];
  const token =
    /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-zA-Z][\w:-]*)((?:\s+[^\s=>/]+(?:=(?:"[^"]*"|[^\s">]+))?)*)\s*(\/?)>|([^<]+)/gi;
  for (let match = token.exec(html); match; match = token.exec(html)) {
    const [whole, closing, name, attributes, selfClosing, text] = match;
    const parent = open.at(-1)!;
    if (text !== undefined) parent.children.push(plain(text));
    else if (name === undefined) continue;
    else if (closing) {
      if (open.length > 1 && parent.tag !== name.toLowerCase())
        throw new Error(`</${name}> closes <${parent.tag}> at ${match.index}`);
      open.pop();
    } else {
      const element: Element = {
        tag: name.toLowerCase(),
        attributes: readAttributes(attributes ?? ""),
        children: [],
      };
      parent.children.push(element);
      if (element.tag === "script" || element.tag === "style") {
        const end = html.indexOf(`</${name}>`, match.index);
        element.children.push(html.slice(match.index + whole.length, end));
        token.lastIndex = end + name.length + 3;
      } else if (!selfClosing && !voidTags.has(element.tag)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.tag}> is not closed`);
  return top;
}

/** The outline of a whole page. */
export function outline(html: string): string {
  const page = parseHtml(html);
  const lines = [...headLines(page)];
  for (const [name, matches] of landmarks) {
    const found = findAll(page, matches)[0];
    if (found) lines.push("", `== ${name}`, ...textLines(found));
  }
  return `${lines.join("\n").trim()}\n`;
}

const landmarks: [string, (element: Element) => boolean][] = [
  ["banner", (element) => element.attributes.id === "banner"],
  ["header", (element) => element.attributes.id === "navbar"],
  ["sidebar", (element) => element.attributes.id === "sidebar"],
  ["main", (element) => element.tag === "main"],
];

/** All matching elements below an element, in document order. */
export function findAll(element: Element, matches: (element: Element) => boolean): Element[] {
  return element.children.flatMap((child) =>
    typeof child === "string" ? [] : [...(matches(child) ? [child] : []), ...findAll(child, matches)],
  );
}

/** All text below an element. */
export function textOf(element: Element): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

function* headLines(page: Element): Generator<string> {
  const [html] = findAll(page, ({ tag }) => tag === "html");
  if (html)
    yield `html lang=${html.attributes.lang} dir=${html.attributes.dir} page=${html.attributes["data-page"]}`;
  for (const { tag, attributes, children } of findAll(page, ({ tag }) =>
    ["title", "meta", "link"].includes(tag),
  )) {
    if (tag === "title") yield `title ${children.join("")}`;
    else if (tag === "link" && attributes.rel !== "stylesheet") yield `${attributes.rel} ${attributes.href}`;
    else if (tag === "meta") {
      const name = attributes.property ?? attributes.name ?? attributes["http-equiv"];
      if (name && !["viewport", "generator", "theme-color"].includes(name))
        yield `${name} = ${attributes.content}`;
    }
  }
}

/**
 * Text of an element, one line per block, indented by list level. Omits decorative elements and elements for
 * scripts.
 */
function textLines(element: Element): string[] {
  const lines: string[] = [];
  let line = "";
  const end = (depth: number) => {
    if (line.trim()) lines.push(`${"  ".repeat(depth)}${line.replace(/\s+/g, " ").trim()}`);
    line = "";
  };
  const visit = (node: Element | string, depth: number): void => {
    if (typeof node === "string") line += node;
    else if (
      node.tag === "script" ||
      node.tag === "style" ||
      node.tag === "svg" ||
      /(?:^| )o-js(?: |$)/.test(node.attributes.class ?? "") ||
      node.attributes.class === "o-nav-close" ||
      node.attributes.class === "o-menu-button"
    )
      return;
    else if (blocks.has(node.tag)) {
      const depthInside = depth + (node.tag === "ul" || node.tag === "ol" ? 1 : 0);
      end(depth);
      if (/^h\d$/.test(node.tag)) line += `${"#".repeat(Number(node.tag[1]))} `;
      if (node.tag === "details") line += node.attributes.open === undefined ? "▸ " : "▾ ";
      for (const child of node.children) {
        // A summary is on the same line as its marker.
        if (typeof child !== "string" && child.tag === "summary")
          for (const inner of child.children) visit(inner, depthInside);
        else visit(child, depthInside);
        if (typeof child !== "string" && child.tag === "summary") end(depth);
      }
      end(depthInside);
    } else {
      const { href, src, alt } = node.attributes;
      if (node.tag === "img") line += `![${alt ?? ""}](${src})`;
      const before = line.length;
      for (const child of node.children) visit(child, depth);
      const label = line.slice(before);
      if (node.tag === "a" && /(?:^| )o-anchor(?: |$)/.test(node.attributes.class ?? ""))
        line = line.slice(0, before);
      else if (node.tag === "a")
        line = `${line.slice(0, before)}${node.attributes["aria-current"] ? "*" : ""}[${label.trim()}](${href})`;
      else if (node.tag === "small" && label) line = `${line.slice(0, before)} (${label.trim()})`;
    }
  };
  visit(element, 0);
  end(0);
  return lines;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([^\s=]+)(?:=(?:"([^"]*)"|([^\s">]+)))?/g)].map(([, name, quoted, bare]) => [
      name!.toLowerCase(),
      plain(quoted ?? bare ?? ""),
    ]),
  );
}

function plain(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39|nbsp);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " })[name]!,
  );
}
