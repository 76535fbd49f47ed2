/** The script of the dashboard's pages. They are whole without it: it copies, refreshes, and closes menus. */
import { startCopying } from "./dashboard/copying.ts";
import { startLive } from "./dashboard/live.ts";
import { startSubmitting } from "./dashboard/submitting.ts";
import { startMenus } from "./menus.ts";
import { startMode } from "./mode.ts";

startMode();
startMenus();
startCopying();
startLive();
startSubmitting();
