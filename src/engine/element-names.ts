/** Names of elements in HTML, SVG and MathML, including obsolete ones that browsers still show. */

function set(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

export const htmlElements = set(
  "a abbr acronym address applet area article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col",
  "colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2",
  "h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee menu menuitem meta meter nav",
  "nobr noembed noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script",
  "search section select slot small source span strike strong style sub summary sup svg math table tbody td template textarea tfoot th thead",
  "time title tr track tt u ul var video wbr xmp",
);

/** Names of SVG and MathML elements in lowercase. */
const otherElements = set(
  "animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite",
  "feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur",
  "feimage femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g",
  "image line lineargradient marker mask metadata mpath path pattern polygon polyline radialgradient rect set stop switch symbol text",
  "textpath tspan use view annotation semantics maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms",
  "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover",
);

/** Whether a name is that of an element in HTML, SVG or MathML, in any case. */
export function isKnownElement(name: string): boolean {
  const lower = name.toLowerCase();
  return htmlElements.has(lower) || otherElements.has(lower);
}
