import { apiCatalogPath } from "../../../layout/site-layout.ts";
import { originOf } from "../../plan/absolute-urls.ts";
import { joinedBytes } from "../../plan/file-content.ts";
import { apiCatalog } from "../../plan/spec-download.ts";
import { llmsIndexes } from "../llms-index.ts";
import { llmsFullTxt, robots, sitemap } from "../machine-files.ts";
import type { ExportContext, ExportKind } from "./kind.ts";

/**
 * Maximum size of llms-full.txt for a copy in `.well-known`, in bytes. If llms-full.txt is larger, the file
 * there only contains its URL.
 */
const llmsFullCopy_bytes = 2_000_000;

/** Adds files for crawlers and language models. These files list only public pages. */
function addMachineFiles(context: ExportContext): void {
  const { add: addFile } = context;
  const { site, target, audiences, changedAt } = context.viewOf("anyone");
  const add = (path: string, make: () => string) => addFile(path, make, "anyone");
  add("sitemap.xml", () => sitemap(site, target, changedAt));
  add("robots.txt", () => robots(site, target));
  for (const [path, text] of llmsIndexes(site, target, audiences)) {
    add(path, () => text);
    if (path === "llms.txt") add(".well-known/llms.txt", () => text);
  }

  const catalog = apiCatalog(site, target);
  if (catalog !== undefined) add(apiCatalogPath, () => catalog);

  /** Size of `llms-full.txt`. Undefined if it hasn't been generated yet. */
  let full_bytes: number | undefined;
  addFile(
    "llms-full.txt",
    function* () {
      let length = 0;
      for (const chunk of llmsFullTxt(site, target, audiences)) {
        length += chunk.length;
        yield chunk;
      }
      full_bytes = length;
    },
    "anyone",
  );

  // A copy of llms-full.txt, or a link to it if the text is long.
  addFile(
    ".well-known/llms-full.txt",
    () => {
      const whole =
        full_bytes !== undefined && full_bytes > llmsFullCopy_bytes
          ? undefined
          : joinedBytes(llmsFullTxt(site, target, audiences), llmsFullCopy_bytes);
      return whole && whole.length <= llmsFullCopy_bytes
        ? whole
        : `# ${site.config.settings.name}\n\nThe full text is at ${originOf(site, target) ?? ""}/llms-full.txt.\n`;
    },
    "anyone",
  );
}

export const forMachines: ExportKind = { name: "files for machines", add: addMachineFiles };
