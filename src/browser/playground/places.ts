/** Where a page's playground finds its files: `<script type="application/json" id="o-reference">` of the page. Addresses are relative to the page. */
export interface Places {
  /** The file of the operation. */
  operation: string;
  /** What the names of the shared component files begin with: `<components>index.js`, `<components>0.js`, … */
  components: string;
  /** The playground's program, its styles and its words. */
  script: string;
  style: string;
  words: string;
  /** The site's own server, which may pass requests on; null where there is none. */
  proxy: string | null;
  /** The page that an authorization server sends the reader back to. */
  oauth?: string;
}

/** Absent on a page without a playground. */
export function readPlaces(): Places | undefined {
  const text = document.getElementById("o-reference")?.textContent;
  return text ? (JSON.parse(text) as Places) : undefined;
}
