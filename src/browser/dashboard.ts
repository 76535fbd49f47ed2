/**
 * The script of the dashboard: color mode, menus, the command menu, copy buttons, filters, live updates,
 * fields and rows that change without loading a page, passkeys, uploads and protection from double submits.
 * Except for passkeys, the dashboard works without this script.
 */

import { startMode } from "./color-mode.ts";
import { startCommandMenu } from "./dashboard/command-menu.ts";
import { startCopying } from "./dashboard/copying.ts";
import { startFiltering } from "./dashboard/filtering.ts";
import { startLive } from "./dashboard/live.ts";
import { showLocalTimes } from "./dashboard/local-times.ts";
import { startPasskeys } from "./dashboard/passkey-forms.ts";
import { startRemoving } from "./dashboard/removing.ts";
import { startSaving } from "./dashboard/saving.ts";
import { startSubmitting } from "./dashboard/submitting.ts";
import { startUploading } from "./dashboard/uploading.ts";
import { startMenus } from "./menus.ts";

startMode();
startMenus();
startCommandMenu();
startCopying();
startFiltering();
showLocalTimes();
startLive();
startPasskeys();
startSaving();
startRemoving();
startSubmitting();
startUploading();
