/** Entry point of the script of API reference pages. The pages are readable without this script. */

import { startPlayground } from "./playground/open-playground.ts";
import { startDeepLinks } from "./reference/deep-links.ts";
import { startHighlighting } from "./reference/highlight-on-show.ts";
import { startLazySchemas } from "./reference/lazy-schemas.ts";
import { startPanelSelects } from "./reference/panel-selects.ts";
import { startServers } from "./reference/servers.ts";
import { startStatuses } from "./reference/statuses.ts";

startPanelSelects();
startHighlighting();
startStatuses();
startServers();
startLazySchemas();
startDeepLinks();
startPlayground();
