/** What readers and members do, in Firefox and in WebKitGTK. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demo } from "../../examples/plant-shop/sign-in.ts";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { dashboardRoutes } from "../../src/service/app/routes.ts";
import { newMember, password } from "../service/dashboard.ts";
import { type JourneySites, openJourneySites, sitePassword } from "./journey-sites.ts";
import { Tab } from "./tab.ts";
import { type BrowserName, browserNames, type Driver, isInstalled, startBrowser } from "./webdriver.ts";

let sites: JourneySites;
beforeAll(async () => {
  if (browserNames.some(isInstalled)) sites = await openJourneySites();
});
afterAll(() => sites?.stop());

const phone = [390, 844] as const;
const operation = "api-reference/shop/get-the-current-user";

async function search(tab: Tab, start: string, found: string): Promise<void> {
  await tab.open(start);
  await tab.press("/");
  await tab.finds("combobox", "Search the documentation");
  await tab.type("firing");
  await tab.finds("option", /Firing/);
  await tab.press("Enter");
  await tab.isAt(found);
}

const isDark = (tab: Tab) =>
  tab.waitFor("A dark page", "return document.documentElement.classList.contains('dark')");

async function openPlayground(tab: Tab): Promise<void> {
  await tab.open(`${sites.site}/${operation}`);
  await tab.click("button", "Try it");
  await tab.finds("button", "Send");
  await tab.click("button", /^Authorization/);
}

async function getToken(tab: Tab, grant: string): Promise<void> {
  await openPlayground(tab);
  await tab.choose("Authenticate with", "OAuth");
  await tab.choose("Grant type", grant);
  await tab.fill("Client ID", demo.clientId);
  await tab.fill("Client secret", demo.clientSecret);
  await tab.click("button", "Get token");
}

async function signIn(tab: Tab, email: string, secret: string): Promise<void> {
  await tab.fill("Email", email);
  await tab.fill("Password", secret);
  await tab.click("button", "Sign in");
}

/** Signs a new member of the public site's organization in. Resolves with the URL of the organization. */
async function signInAsMember(tab: Tab): Promise<string> {
  const { email, home } = await newMember(sites.service, sites.organization.id);
  await tab.open(`${sites.dashboard}/dashboard`);
  await signIn(tab, email, password);
  await tab.finds("heading", sites.organization.subdomain);
  return sites.dashboard + home;
}

/** Creates an invitation. Resolves with its URL. */
async function invite(email: string): Promise<string> {
  const { url } = await sites.service.operator(endpoints.createInvitation, {
    params: { organizationId: sites.organization.id },
    body: { email, role: "admin" },
  });
  return url;
}

/** Checks what has gone wrong so far, and removes it from the list. */
function expectComplaints(...expected: RegExp[]): void {
  expect(sites.proxy.complaints.splice(0)).toEqual(expected.map((each) => expect.stringMatching(each)));
}

/** Paths with only these parameters are pages, except that of the logo. */
const pagePath = /^\/dashboard\/o\/:organizationId(?!.*\/logo$)(?:[\w/-]|:projectId)*$/;

/** URLs of the pages of the public site's organization and project, without those of single objects. */
function dashboardPages(): string[] {
  const routes = dashboardRoutes({
    cookies: undefined as never,
    provider: undefined,
    hasPasswords: true,
    report() {},
  });
  const { id, projectId } = sites.organization;
  return routes
    .filter(({ method, path }) => method === "GET" && pagePath.test(path))
    .map(
      ({ path }) => sites.dashboard + path.replace(":organizationId", id).replace(":projectId", projectId),
    );
}

const journeys: Record<string, (tab: Tab) => Promise<void>> = {
  "searches with the keyboard, on a host": (tab) =>
    search(tab, `${sites.site}/`, `${sites.site}/install#firing`),

  "searches with the keyboard, from disk": (tab) =>
    search(tab, sites.file("index.html"), sites.file("install.html", "#firing")),

  "points at search and assistant, which are then loaded": async (tab) => {
    await tab.open(`${sites.site}/`);
    for (const name of ["Search", "Assistant"]) await tab.pointAt("button", name);
    await tab.waitFor(
      "Loaded files",
      "return ['search', 'assistant'].every((name) => performance.getEntriesByType('resource').some((each) => each.name.includes('/' + name + '-')))",
    );
  },

  "follows a link of the navigation, and goes back": async (tab) => {
    await tab.open(`${sites.site}/`);
    await tab.click("link", "Install");
    await tab.isAt(`${sites.site}/install`);
    await tab.back();
    await tab.isAt(`${sites.site}/`);
  },

  "navigates on a phone": async (tab) => {
    await tab.resize(...phone);
    await tab.open(`${sites.site}/`);
    await tab.click("link", "Menu");
    await tab.click("link", "Install");
    await tab.isAt(`${sites.site}/install`);
    await tab.hasNoSidewaysScroll();
  },

  "chooses dark mode, which stays": async (tab) => {
    await tab.open(`${sites.site}/`);
    await tab.click("button", "Theme");
    await tab.click("button", "Dark");
    await isDark(tab);
    await tab.reload();
    await isDark(tab);
    await tab.click("link", "Install");
    await tab.isAt(`${sites.site}/install`);
    await isDark(tab);
  },

  "selects a package manager, opens a folded part, and selects a language of code": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.click("tab", "pnpm");
    await tab.sees("pnpm add kiln");
    await tab.click("button", "Behind a proxy");
    await tab.sees("Set the variable of your proxy.");
    await tab.click("tab", "Script");
    await tab.sees("kiln.fire();");
    await tab.reload();
    await tab.sees("pnpm add kiln");
  },

  "copies a code block": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.pointAt("tab", "Shell");
    await tab.click("button", /^Copy$/);
    await tab.waitFor("The confirmation", "return document.querySelector('[data-copied]')");
    await tab.press("/");
    await tab.finds("combobox", "Search the documentation");
    await tab.press("Control+v");
    await tab.waitFor("The code", "return document.activeElement.value.includes('kiln --fire')");
  },

  "follows the table of contents": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.click("link", "Glaze");
    await tab.isAt(`${sites.site}/install#glaze`);
    await tab.waitFor(
      "The section below the header",
      "const top = document.getElementById('glaze').getBoundingClientRect().top; return top > 0 && top < 200",
    );
    await tab.waitFor(
      "The current entry",
      "return document.querySelector('#table-of-contents [aria-current]')?.textContent === 'Glaze'",
    );
  },

  "reads diagrams and formulas": async (tab) => {
    await tab.open(`${sites.site}/`);
    await tab.waitFor(
      "A diagram",
      "return document.querySelector('main svg[id]')?.getBoundingClientRect().width > 50",
    );
    await tab.waitFor(
      "A formula",
      "return document.querySelector('main math')?.getBoundingClientRect().width > 50",
    );
  },

  "switches the language": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.click("button", /English/);
    await tab.click("link", /Deutsch/);
    await tab.isAt(`${sites.site}/de/install`);
    await tab.finds("heading", "Installieren");
  },

  "switches the version": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.click("button", /v2/);
    await tab.click("link", /v1/);
    await tab.isAt(`${sites.site}/v1/install`);
  },

  "selects a server and a language of an API, and sends a request": async (tab) => {
    await tab.open(`${sites.site}/api-reference/plants/get-a-plant`);
    await tab.choose("Code example", "Python");
    await tab.sees("import requests");
    await tab.click("button", "Try it");
    await tab.choose("Server", /^An example of a second server/);
    await tab.choose("Server", /^Your machine/);
    await tab.fill("plantId", "12");
    await tab.click("button", "Send");
    await tab.sees("200");
  },

  "gets a token by signing in, in a window": async (tab) => {
    await getToken(tab, "Authorization code");
    await tab.inOtherWindow(() => tab.click("button", "Allow"));
    await tab.sees("Token received.");
    await tab.click("button", "Send");
    await tab.sees('"oauth"');
  },

  "gets a token with client credentials": async (tab) => {
    await getToken(tab, "Client credentials");
    await tab.sees("Token received.");
    await tab.click("button", "Send");
    await tab.sees('"oauth"');
  },

  "asks the assistant, stops an answer, and follows a source": async (tab) => {
    sites.model.behave({ text: ["Firing ", "never ends"], hangAfter: 1 });
    await tab.open(`${sites.site}/`);
    await tab.press("Control+i");
    await tab.finds("textbox", "Ask a question");
    await tab.type("How long does firing take?");
    await tab.press("Enter");
    await tab.sees("Firing");
    await tab.click("button", "Stop");
    await tab.sees("Stopped.");
    sites.model.behave({
      text: ["Firing ", "takes a day[1]."],
      finish: { covered: true, used: [1], clarifying: false },
    });
    await tab.fill("Ask a question", "How long does firing take?");
    await tab.press("Enter");
    await tab.sees("takes a day");
    await tab.click("link", /^Source 1/);
    await tab.isAt(`${sites.site}/install#firing`);
    await tab.sees("takes a day");
  },

  "rates a page, and says why": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.click("button", "No");
    await tab.click("radio", "Hard to understand");
    await tab.fill("Tell us more (optional)", "Too short");
    await tab.click("button", "Send");
    await tab.waitFor(
      "The page without the form",
      "return !document.querySelector('[name=comment]')?.checkVisibility()",
    );
    await tab.sees("Thank you for your feedback.");
  },

  "signs in to a site with its password": async (tab) => {
    await tab.open(`${sites.withPassword}/`);
    await tab.fill("Password", "wrong");
    await tab.click("button", /Sign in|Continue/);
    await tab.sees("Incorrect password.");
    expectComplaints(/^401 POST /);
    await tab.fill("Password", sitePassword);
    await tab.click("button", /Sign in|Continue/);
    await tab.sees("Only for readers.");
  },

  "signs in to a site on the company's login page": async (tab) => {
    await tab.open(`${sites.withLogin}/`);
    await tab.sees("Only for readers.");
  },

  "prints a page": async (tab) => {
    await tab.open(`${sites.site}/install`);
    await tab.finds("heading", "Install");
    // What is printed is tested in Chromium.
    expect((await tab.print()).toString("latin1")).toMatch(/^%PDF-/);
  },

  "creates an account, and a key": async (tab) => {
    const name = `Key of ${tab.browser}`;
    await tab.open(await invite(`${tab.browser.toLowerCase()}@example.com`));
    await tab.fill("Your name", "Ana");
    await tab.fill("Password", password);
    await tab.click("button", "Create account");
    await tab.click("link", "API keys");
    await tab.fill("Name", name);
    await tab.click("button", "Create key");
    await tab.finds("heading", new RegExp(name));
    await tab.sees("You won't be able to see it again.");
  },

  "signs in with a password, after a wrong one": async (tab) => {
    const { email } = await newMember(sites.service, sites.organization.id);
    await tab.open(`${sites.dashboard}/dashboard`);
    await signIn(tab, email, "not the password");
    await tab.sees("Incorrect email or password");
    expectComplaints(/^401 POST /);
    await signIn(tab, email, password);
    await tab.finds("heading", sites.organization.subdomain);
  },

  "sees a deployment": async (tab) => {
    const home = await signInAsMember(tab);
    await tab.open(`${home}/p/${sites.organization.projectId}`);
    await tab.click("link", "Deployments");
    await tab.click("link", "Deployment 1");
    await tab.sees("Live");
  },

  "uses the dashboard on a phone": async (tab) => {
    await tab.resize(...phone);
    await signInAsMember(tab);
    for (const url of dashboardPages()) {
      await tab.open(url);
      await tab.hasNoSidewaysScroll();
    }
  },
};

/** Journeys that a browser's driver can't make, with the reason. */
const exceptions: Partial<Record<BrowserName, Record<string, string>>> = {
  WebKitGTK: { "prints a page": "its driver has no command for printing" },
};

describe.each(browserNames)("a reader or member with %s", (name) => {
  let driver: Driver;
  beforeAll(async () => {
    if (isInstalled(name)) driver = await startBrowser(name);
  });
  afterAll(() => driver?.stop());

  for (const [does, journey] of Object.entries(journeys)) {
    const reason = exceptions[name]?.[does];
    const title = reason === undefined ? does : `${does} (not possible: ${reason})`;
    test.skipIf(reason !== undefined || !isInstalled(name))(title, async () => {
      await driver.restart();
      const tab = new Tab(driver);
      await tab.resize(1440, 900);
      sites.proxy.complaints.length = 0;
      await journey(tab);
      expectComplaints();
    });
  }
});
