/** The script of API reference pages: what unfolds, and what goes together. The page reads the same without it. */
import { startPlayground } from "./playground/open-playground.ts";
import { startCuts } from "./reference/cuts.ts";
import { startDeepLinks } from "./reference/deep-links.ts";
import { startPaint } from "./reference/paint.ts";
import { startPicks } from "./reference/picks.ts";
import { startServers } from "./reference/servers.ts";
import { startStatuses } from "./reference/statuses.ts";

startPicks();
startPaint();
startStatuses();
startServers();
startCuts();
startDeepLinks();
startPlayground();
