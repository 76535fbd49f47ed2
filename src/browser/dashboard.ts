/**
 * The script of the dashboard: color mode, menus, the command menu, copy buttons, filters, live updates, fields that are saved on change, passkeys, uploads
 * and protection from double submits. Except for passkeys, the dashboard works without this script.
 */

import { startMode } from "./color-mode.ts";
import { startCommandMenu } from "./dashboard/command-menu.ts";
import { startCopying } from "./dashboard/copying.ts";
import { startFiltering } from "./dashboard/filtering.ts";
import { startLive } from "./dashboard/live.ts";
import { showLocalTimes } from "./dashboard/local-times.ts";
import { startPasskeys } from "./dashboard/passkey-forms.ts";
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
startSubmitting();
startUploading();
