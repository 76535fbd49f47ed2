/** Adds the operator file, with which operators turn the features of a site on and off. */

import { type DeploymentKind, operatorPath } from "../site/features.ts";
import type { AddFile, ExportTarget } from "./export-target.ts";

/** The operator file of each deployment kind with its default features. Hosts can serve a different version of this file. */
const operatorFiles: Record<DeploymentKind, string> = {
  cloud: `// The features of this site. The service that hosts it sends its own copy of this file.
octavoConfig = {
  "search": true,
  "assistant": true,
  "analytics": true,
  "playground": true
};
`,
  "client-hosted": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // Search. Needs no server. true or false.
  "search": true,
  // Assistant. Needs a server that answers at _octavo/assistant on this host, such as octavo bundle-server. true or false.
  "assistant": false,
  // "services": load the analytics services named in docs.json. true: also send page views and searches to _octavo/events
  // and feedback to _octavo/feedback on this host, which needs a server that answers there. false: no analytics.
  "analytics": "services",
  // API playground. true or false.
  "playground": true
};
`,
  "air-gapped": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // "local": search the files of this site, without a server. false: no search.
  "search": false,
  // API playground. Sending requests needs a server that forwards them, such as octavo bundle-server. true or false.
  "playground": false
};
`,
};

export function addOperatorFile({ kind, readers }: ExportTarget, add: AddFile): void {
  if (readers !== "author") add(operatorPath, () => operatorFiles[kind], "anyone");
}
