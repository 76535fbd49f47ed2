import { readText } from "../../../base/files.ts";
import { siteFolder } from "../../../layout/site-layout.ts";
import { mayRestrict } from "../../openapi/document/api-document.ts";
import { withoutExternalSvg } from "../../page/external-svg.ts";
import { authorCss } from "../../plan/author-css.ts";
import { externalContentMode } from "../../plan/export-target.ts";
import { servedContent } from "../../plan/served-document.ts";
import { splitCss } from "../../plan/split-css.ts";
import { authored, type ExportContext, type ExportKind } from "./kind.ts";

/** Adds the files of the documentation folder that the site serves, except for pages. */
function addFolderFiles(context: ExportContext): void {
  const { site, audiences, target, inline } = context;
  const add = authored(context.add);
  const fileBytes = (path: string) => site.files.read(path) ?? new Uint8Array();

  for (const path of site.linkTargets.served) {
    const access = audiences.ofFile(path);
    if (!audiences.isExported(access)) continue;
    const document = site.documents.at(path);
    // A document that can't be parsed could contain parts that only some groups may read.
    if (document === "broken" && mayRestrict(readText(site.files, path) ?? "")) continue;
    if (typeof document === "object") add(path, () => servedContent(document, site, audiences), access);
    else if (path.endsWith(".css")) {
      const written = readText(site.files, path) ?? "";
      const css = splitCss(authorCss(written), target).inside;
      const whole =
        inline?.css(css, access, `${"../".repeat(path.split("/").length - 1)}${siteFolder}`) ?? css;
      add(path, () => (whole === written ? fileBytes(path) : whole), access);
    } else if (/\.(?:svg|xhtml|xht)$/i.test(path) && externalContentMode(target) === "link")
      add(path, () => withoutExternalSvg(fileBytes(path)), access);
    else add(path, () => fileBytes(path), access);
  }
}

export const folderFiles: ExportKind = { name: "folder files", add: addFolderFiles };
