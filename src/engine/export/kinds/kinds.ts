/** The kinds of files of an export, in the order in which they are planned and written. */

import { securityTablePath } from "../../../layout/site-layout.ts";
import { hostOnly } from "../../plan/audiences.ts";
import { policiesByAccess } from "../../plan/content-security.ts";
import { addPlaygroundFiles } from "../../plan/playground-files.ts";
import { addSpecDownload } from "../../plan/spec-download.ts";
import { addWidget, widgetOrigins } from "../../plan/widget.ts";
import { addNotFound } from "../../view/not-found-page.ts";
import { addReaderNavigation } from "../../view/reader-navigation.ts";
import { addOperatorFile } from "../operator-file.ts";
import { addSearch } from "../search-files.ts";
import { folderFiles } from "./folder-files.ts";
import { forMachines } from "./for-machines.ts";
import { home, oauthPage, readerSignIn } from "./generated-pages.ts";
import type { ExportKind } from "./kind.ts";
import { pages } from "./pages.ts";
import { productFiles } from "./product-files.ts";
import { redirects } from "./redirects.ts";
import { sections } from "./sections.ts";
import { sharedSchemas } from "./shared-schemas.ts";
import { skills } from "./skills.ts";

export const kinds: readonly ExportKind[] = [
  redirects,
  folderFiles,
  productFiles,
  pages,
  sections,
  {
    name: "navigation for readers",
    add({ target, audiences, viewOf, add }) {
      if (target.readers === "signed-in")
        addReaderNavigation(audiences.exportedAccesses.map(viewOf), audiences, add);
    },
  },
  {
    name: "playground files",
    add: ({ audiences, playgrounds, add }) => addPlaygroundFiles(audiences.exported, playgrounds, add),
  },
  {
    name: "OpenAPI documents",
    add: ({ audiences, target, viewOf, add }) =>
      addSpecDownload(viewOf("anyone").site, audiences, target, add),
  },
  forMachines,
  skills,
  oauthPage,
  sharedSchemas,
  {
    name: "search index",
    after: {
      pages: "other threads can index the pages meanwhile",
      "shared schemas": "other threads can index the schemas meanwhile",
      "files for machines": "a thread can compress llms-full.txt while the index is merged",
    },
    add: ({ audiences, target, threads, add }) =>
      addSearch(audiences.exported, audiences, target, add, threads),
  },
  {
    name: "widget",
    add: ({ site, target, assets, product, add }) => addWidget(site, target, assets.names, product, add),
  },
  home,
  { name: "404 page", add: ({ product, viewOf, add }) => addNotFound(viewOf("anyone"), product, add) },
  { name: "operator file", add: ({ target, add }) => addOperatorFile(target, add) },
  readerSignIn,
  {
    name: "security table",
    add({ site, target, audiences, playgrounds, add }) {
      const { name } = site.config.settings;
      const origins = widgetOrigins(site, target);
      const table = () => ({
        kind: target.kind,
        name,
        ...policiesByAccess(target, audiences, playgrounds),
        ...(origins.length === 0 ? {} : { widgetOrigins: origins }),
      });
      add(securityTablePath, () => `${JSON.stringify(table())}\n`, hostOnly);
    },
  },
];
