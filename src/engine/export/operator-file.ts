/** Adds the operator file, which operators use to turn the features of a site on and off. */

import type { AddFile, ExportTarget } from "../plan/export-target.ts";
import { type DeploymentKind, operatorPath } from "../site/features.ts";

/**
 * Content of the operator file by deployment kind, with the kind's default features. Hosts can serve a
 * different version of this file.
 */
const operatorFiles: Record<DeploymentKind, string> = {
  cloud: `// The features of this site. The service that hosts the site serves its own version of this file.
octavoConfig = {
  "search": true,
  "assistant": true,
  "analytics": true,
  "playground": true
};
`,
  "client-hosted": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // Search: true or false. Doesn't require a server.
  "search": true,
  // Assistant: true or false. Requires a server that responds at _octavo/assistant on this host, such as octavo bundle-server.
  "assistant": false,
  // Analytics. "services": load the analytics services in docs.json. true: also send page views and searches to _octavo/events
  // and feedback to _octavo/feedback on this host. This requires a server that responds there. false: no analytics.
  "analytics": "services",
  // API playground: true or false.
  "playground": true
};
`,
  "air-gapped": `// The features of this site. Edit this file to turn them on or off. You don't need to rebuild the pages.
octavoConfig = {
  // Search. "local": search the files of this site, without a server. false: no search.
  "search": false,
  // API playground: true or false. To send requests, it requires a server that forwards them, such as octavo bundle-server.
  "playground": false
};
`,
};

export function addOperatorFile({ kind, readers }: ExportTarget, add: AddFile): void {
  if (readers !== "author") add(operatorPath, () => operatorFiles[kind], "anyone");
}
