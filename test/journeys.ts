/**
 * What readers, authors, members and operators do, from a fresh start to what they see at the end. Each journey
 * names the test that makes it. `journeys.test.ts` checks that the test exists and runs in `npm test`.
 */

export interface Journey {
  who: "reader" | "author" | "member" | "operator";
  does: string;
  sees: string;
  file: string;
  /** Title of the test, without those of the suites around it. */
  title: string;
}

const rows: Record<Journey["who"], [file: string, title: string, does: string, sees: string][]> = {
  reader: [
    [
      "test/browser/search.browser.test.ts",
      "as one types, over %s",
      "searches with / and Enter, on a host and from disk",
      "the page that was found",
    ],
    [
      "test/browser/search.browser.test.ts",
      "/ and Ctrl+K open, arrows walk round, End and Home lead to the ends, Escape closes and gives the focus back",
      "uses the search with the keyboard only",
      "the focus where it was",
    ],
    [
      "test/browser/search.browser.test.ts",
      "a word with one wrong letter finds the same, on a host and from disk",
      "searches for a misspelled word, on a host and from disk",
      "the pages with the word",
    ],
    [
      "test/browser/search.browser.test.ts",
      "nothing: it is said, with what to try",
      "searches for a word that no page has",
      "what to try",
    ],
    [
      "src/service/site-endpoints/search-and-ask.browser.test.ts",
      "a search on the hosted site finds a section and opens it",
      "searches a hosted site",
      "the section",
    ],
    [
      "src/host/sign-in/connect-app.browser.test.ts",
      "with the keyboard: signs in, chooses %s, and returns to the app",
      "connects an app to a site with sign-in",
      "the app, with its code",
    ],
    [
      "test/browser/assistant.browser.test.ts",
      "by keyboard alone: open, ask, follow a source; the panel is there on the next page",
      "asks the assistant",
      "the source of the answer",
    ],
    [
      "src/service/site-endpoints/widget.browser.test.ts",
      "a visitor asks with the keyboard only, and the cited page opens on the documentation site",
      "asks the assistant on another website",
      "the source of the answer",
    ],
    [
      "test/browser/assistant.browser.test.ts",
      "text shows as it comes, and can be stopped; the same turn is asked again",
      "stops an answer, and asks again",
      "the new answer",
    ],
    [
      "test/browser/assistant.browser.test.ts",
      "is gone from the storage and from every tab after the reader signs out or another one signs in",
      "asks, and signs out",
      "no trace of the conversation in any tab",
    ],
    [
      "test/browser/assistant.browser.test.ts",
      "thumbs, and a word on why",
      "rates an answer, with a reason",
      "a thank-you",
    ],
    [
      "src/bundle/assistant-and-analytics.browser.test.ts",
      "a reader asks, gets an answer with its source, rates it and the page, and the log has all of it",
      "asks on a bundle server",
      "an answer with its source",
    ],
    [
      "test/browser/site.browser.test.ts",
      "the page menu copies the page, which its button confirms, and prints it",
      "copies the page from its menu",
      "a confirmation on the button",
    ],
    [
      "test/browser/site.browser.test.ts",
      "a code block is copied",
      "copies a code block",
      "the code on the clipboard",
    ],
    [
      "test/browser/switches.browser.test.ts",
      "the language menu opens the same page in the other language, at $width px",
      "switches the language",
      "the same page in the other language",
    ],
    [
      "test/browser/switches.browser.test.ts",
      "the version menu opens the same page of the other version, at $width px",
      "switches the version",
      "the same page of the other version",
    ],
    [
      "test/browser/switches.browser.test.ts",
      "a tab that is selected on one page is selected on the next, and on the next visit",
      "selects a package manager",
      "its commands on every page",
    ],
    [
      "test/browser/switches.browser.test.ts",
      "the feed of a changelog is linked on its page, and has its updates, newest first",
      "subscribes to a changelog",
      "a feed with the updates",
    ],
    [
      "test/browser/site.browser.test.ts",
      "the chosen mode stays, on the next page too",
      "chooses dark mode",
      "dark pages, also after a reload",
    ],
    [
      "test/browser/site.browser.test.ts",
      "the menu of a small screen is a dialog that keeps the focus and that Escape closes",
      "navigates on a phone",
      "the page that was chosen in the menu",
    ],
    [
      "test/browser/site.browser.test.ts",
      "an address with a hash opens what hides its target",
      "opens a link to a folded part",
      "the part",
    ],
    [
      "test/browser/site.browser.test.ts",
      "a dismissed banner stays away",
      "dismisses the banner",
      "no banner on the next page",
    ],
    [
      "test/browser/site.browser.test.ts",
      "without script everything is there, and nothing that would not work",
      "reads without scripts",
      "the whole page",
    ],
    [
      "test/browser/print.browser.test.ts",
      "on paper, no line of code and no table is wider than the page",
      "prints a page",
      "paper on which nothing is cut off",
    ],
    [
      "src/engine/export/page-script.browser.test.ts",
      "the 404 page at any depth suggests similar pages and has the site's styles",
      "mistypes a URL",
      "a page that suggests similar ones",
    ],
    [
      "src/service/traffic/page-events.browser.test.ts",
      "a rating, a reason and a comment by keyboard are stored once",
      "rates a page, and says why",
      "a thank-you; the dashboard has the comment",
    ],
    [
      "src/engine/frame/gallery.browser.test.ts",
      "filters updates by tag and stores the selection in the URL",
      "filters a changelog by tag",
      "its updates, also by the shared URL",
    ],
    [
      "src/engine/reference/reference.browser.test.ts",
      "a cut schema expands in place, repeatedly, and ids stay unique",
      "expands a large schema",
      "the fields below it",
    ],
    [
      "src/engine/reference/reference.browser.test.ts",
      "the selected server changes the samples and the copied text",
      "selects a server of an API",
      "samples for it",
    ],
    [
      "test/browser/demo-oauth.browser.test.ts",
      "%s gives a token, and the API accepts it",
      "gets a token with each OAuth flow, also below a path and in a frame",
      "the answer of the API",
    ],
    [
      "test/browser/demo-oauth.browser.test.ts",
      "a token that has ended is refreshed when a request is sent",
      "sends a request with a token that has ended",
      "the answer of the API to a new token",
    ],
    [
      "test/browser/demo-oauth.browser.test.ts",
      "the API accepts a key, a bearer token, and a password",
      "authenticates with each scheme of the demo",
      "the answer of the API",
    ],
    [
      "test/browser/demo-oauth.browser.test.ts",
      "an air-gapped site without a proxy sends nothing to the API, and says that it got no response",
      "sends a request from an air-gapped site",
      "that it got no response",
    ],
    [
      "test/browser/playground.browser.test.ts",
      "OpenID Connect finds its addresses",
      "gets a token from an OpenID provider",
      "the token in the form",
    ],
    [
      "test/browser/playground.browser.test.ts",
      "a missing value is asked for at its field, which gets the focus, and nothing is sent",
      "sends an incomplete request",
      "what is missing, at its field",
    ],
    [
      "src/host/playground-proxy.browser.test.ts",
      "a reader who hasn't signed in is redirected to sign-in and back to the page",
      "opens the playground of a site with sign-in",
      "the page, signed in",
    ],
    [
      "src/host/pages.browser.test.ts",
      "by keyboard, from a page and back to it, with an error for a wrong password",
      "signs in to a site",
      "the page that was requested",
    ],
    [
      "src/host/pages.browser.test.ts",
      "the sidebar of a public page shows only the entries that the reader may open",
      "signs in to a partly public site",
      "the pages of the reader's groups, and no others",
    ],
    [
      "src/host/pages.browser.test.ts",
      "to a preview, with the Tab key, at $width px",
      "signs in to a preview",
      "the preview",
    ],
    [
      "src/host/pending-page.browser.test.ts",
      "opens the site as soon as it's live",
      "waits for a site that is being built",
      "the site",
    ],
    [
      "src/host/sign-in/reader-data.browser.test.ts",
      "shows the reader's values as text, and missing and empty ones as written",
      "signs in on the company's login page and opens a page with values of the token",
      "the values in the text",
    ],
    [
      "test/browser/counting.browser.test.ts",
      "sends the code with the reader's comment",
      "gives feedback on a code block",
      "that the feedback was received",
    ],
    [
      "src/host/sign-in/reader-data.browser.test.ts",
      "%s: the request has the reader's values that the operation names",
      "signs in on the company's login page and sends a request",
      "a request with the key from the login page",
    ],
  ],
  author: [
    [
      "src/cli/cli.process.test.ts",
      "a new site has no problems, and the files of a deleted page are removed",
      "creates, checks and builds a new site",
      "a site without problems",
    ],
    [
      "src/cli/dev.browser.test.ts",
      "the browser shows saved changes; errors show over the page until they are fixed",
      "writes with octavo dev",
      "each change, and errors over the page",
    ],
    [
      "src/cli/dev.browser.test.ts",
      "while docs.json can't be read, the last site is shown, with the error",
      "forgets a comma in docs.json",
      "the last site, with the error",
    ],
    [
      "src/cli/dev.browser.test.ts",
      "in the browser, links work, and an unknown URL shows a styled page",
      "previews a built site",
      "its pages",
    ],
    [
      "src/cli/lsp-rename.process.test.ts",
      "a page, from a link to it",
      "renames a page in an editor",
      "the changed files and the problems of octavo check",
    ],
    [
      "src/cli/lsp.process.test.ts",
      "equal the problems of octavo check after each of 40 edits",
      "writes in an editor",
      "the problems of octavo check",
    ],
    [
      "src/service/repositories/preview-comparison.process.test.ts",
      "planted removals and additions of answers are found, and no others",
      "opens a pull request that removes and adds pages",
      "how many questions lose and gain an answer",
    ],
    [
      "src/cli/check-change.process.test.ts",
      "lists only a problem on a new line, and not an old one that moved",
      "checks a pull request",
      "its new problems only",
    ],
    [
      "src/service/deployments/deployments.process.test.ts",
      "uploads, waits and prints the site's URL",
      "deploys with the command line",
      "the site's URL",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "a chosen folder is packed, uploaded and live",
      "uploads a folder in the dashboard",
      "the site",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "a failing deployment updates live and shows the code frame above the log",
      "deploys an invalid docs.json",
      "the line with the mistake",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "a held deployment goes live with Publish anyway",
      "publishes a deployment with new errors",
      "the site with its new pages",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "after a rollback with one click, the site shows the older page",
      "rolls back",
      "the older page",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "a preview of a branch is built, and its link opens the branch's pages, not the site's",
      "creates a preview of a branch",
      "the branch's page at a private URL",
    ],
    [
      "src/cli/init-service.process.test.ts",
      "creates the project, pushes the first commit, and prints the URL of the live site",
      "starts a site on a service with one command",
      "the URL of the live site",
    ],
    [
      "src/service/git/push.process.test.ts",
      "deploys, and the terminal shows the URL of the live site",
      "pushes to the project's own repository",
      "the URL of the live site on the terminal",
    ],
    [
      "src/service/git/push.process.test.ts",
      "with errors is accepted and not live, or live, or refused, as the project's settings say",
      "pushes a page with an error",
      "the error with its line, and what happened",
    ],
    [
      "src/service/repositories/push-to-deploy.browser.test.ts",
      "a new installation shows a push in less than three minutes",
      "connects a repository and pushes",
      "the change on the site",
    ],
    [
      "src/service/repositories/pull-requests.process.test.ts",
      "a preview has its own URL, a status and one comment, and is removed when the request is closed",
      "opens a pull request",
      "a comment with the preview's URL",
    ],
    [
      "src/service/conversations/unanswered.process.test.ts",
      "a group has the draft of a page, which can be downloaded and created on the repository's host",
      "picks an unanswered question",
      "the draft of a page",
    ],
    [
      "src/service/traffic/analytics.browser.test.ts",
      "questions are filtered by words, status and category, and opened at the message",
      "looks for a question of a reader",
      "the conversation at that message",
    ],
    [
      "src/service/traffic/analytics.browser.test.ts",
      "the status of feedback is saved when it's changed, and can be undone",
      "resolves feedback",
      "its new status, which can be undone",
    ],
  ],
  member: [
    [
      "src/service/app/dashboard.browser.test.ts",
      "the link of the first start creates the first admin, who creates a key that works with curl",
      "creates the first account and a key, and revokes the key",
      "the answer of the API, and then a refusal",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "from the link of the first start to the first own site",
      "creates the first account, a project and a deployment",
      "the first own site",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "an invited viewer can read everything and change nothing; an ended session is signed out",
      "invites a viewer",
      "a member who can read and not change",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "a member's new role applies to the next page",
      "makes a viewer an editor",
      "the forms of an editor",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "a domain is added, verified by the operator, shown, and removed after confirmation",
      "adds and removes a domain",
      "its records, its state, and then no domain",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "a forgotten password is replaced with the emailed link",
      "resets a forgotten password",
      "the dashboard, signed in with the new password",
    ],
    [
      "src/service/app/dashboard-journeys.browser.test.ts",
      "a downloaded bundle passes octavo verify, and a changed one doesn't",
      "downloads and verifies an export",
      "that the bundle is equal to its source",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "an export is started, its progress is shown, and its archive downloaded",
      "exports a site",
      "an archive with all pages",
    ],
    [
      "src/service/app/dashboard.browser.test.ts",
      "the command menu finds pages and actions, by keyboard alone",
      "uses the command menu",
      "the page or the field of the action",
    ],
    [
      "src/service/accounts/passkeys.browser.test.ts",
      "a member adds a passkey, signs in with it, and removes it",
      "adds a passkey and signs in with it",
      "the dashboard",
    ],
    [
      "src/service/accounts/safe-sign-in.process.test.ts",
      "a sign-in needs the password and a code; each code works once",
      "turns on two-factor authentication",
      "a sign-in that needs a code",
    ],
    [
      "src/service/accounts/single-sign-on.browser.test.ts",
      "a member connects the provider and signs in with it",
      "connects single sign-on to their account",
      "the dashboard after signing in with it",
    ],
    [
      "src/service/accounts/single-sign-on.process.test.ts",
      "an invitation is accepted with the provider, which then signs in",
      "accepts an invitation with single sign-on",
      "the dashboard",
    ],
    [
      "src/service/notifications/notifications.process.test.ts",
      "the dashboard creates a webhook, sends a test event and shows its delivery",
      "creates a webhook",
      "the delivery of a test event",
    ],
    [
      "src/service/projects/settings.process.test.ts",
      "deleting a project requires its name and deletes its site",
      "deletes a project",
      "no site",
    ],
  ],
  operator: [
    [
      "test/readme.process.test.ts",
      "deploy, static export and conversations, pasted right after the first start",
      "pastes the README's commands",
      "a site, a bundle and conversations",
    ],
    [
      "src/service/app/operation.process.test.ts",
      "a service moves from its embedded database to PostgreSQL with all data",
      "backs up, and restores to another database",
      "the same service",
    ],
    [
      "src/bundle/bundle-server.process.test.ts",
      "is replaced by the next one without a failed request",
      "updates a bundle server",
      "the next bundle",
    ],
    [
      "src/bundle/bundle-server.process.test.ts",
      "serves the previous bundle and fetches none",
      "rolls back a bundle server",
      "the previous bundle",
    ],
    [
      "test/browser/below-path.browser.test.ts",
      "a project moves back to the root of its host when its domain is removed",
      "serves a site below a path, and then not",
      "the site at its root",
    ],
  ],
};

export const journeys: readonly Journey[] = Object.entries(rows).flatMap(([who, list]) =>
  list.map(([file, title, does, sees]) => ({ who: who as Journey["who"], file, title, does, sees })),
);
