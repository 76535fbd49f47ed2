/**
 * The script of the dashboard: color mode, menus, copy buttons, filters, live updates, passkeys, uploads and protection from double
 * submits. Except for passkeys, the dashboard works without this script.
 */

import { startCopying } from "./dashboard/copying.ts";
import { startFiltering } from "./dashboard/filtering.ts";
import { startLive } from "./dashboard/live.ts";
import { startPasskeys } from "./dashboard/passkey-forms.ts";
import { startSubmitting } from "./dashboard/submitting.ts";
import { startUploading } from "./dashboard/uploading.ts";
import { startMenus } from "./menus.ts";
import { startMode } from "./mode.ts";

startMode();
startMenus();
startCopying();
startFiltering();
startLive();
startPasskeys();
startSubmitting();
startUploading();
