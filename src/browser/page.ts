/**
 * Entry point of the script of content pages. Starts the page's features. Pages are readable without this
 * script.
 */

import { startAnalytics } from "./analytics-events.ts";
import { startAnchors } from "./anchor-links.ts";
import { startBanner } from "./banner.ts";
import { startMode } from "./color-mode.ts";
import { startDrawer } from "./drawer.ts";
import { startNavigation } from "./fill-sidebar.ts";
import { startComponents } from "./interactive-components.ts";
import { showExternalContent } from "./load-external-content.ts";
import { startMenus } from "./menus.ts";
import { startMovedFragments } from "./moved-fragments.ts";
import { startDialogs } from "./open-dialogs.ts";
import { startPageFeedback } from "./page-feedback.ts";
import { startPageMenu } from "./page-menu.ts";
import { startTables } from "./scrollable-tables.ts";
import { startSidebar } from "./sidebar.ts";
import { startTableOfContents } from "./table-of-contents.ts";
import { startTolerantAnchors } from "./tolerant-anchors.ts";
import { startUpdateFilter } from "./update-filter.ts";
import { startViews } from "./views.ts";
import { startZoom } from "./zoom.ts";

startMovedFragments();
showExternalContent();
startMode();
startNavigation();
startSidebar();
startMenus();
startDrawer();
startBanner();
startViews();
startUpdateFilter();
startComponents();
startTableOfContents();
startPageMenu();
startAnchors();
startTolerantAnchors();
startTables();
startZoom();
startDialogs();
startAnalytics();
startPageFeedback();
