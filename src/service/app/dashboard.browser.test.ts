/** The dashboard in a browser: the first admin, keys, rollback, failed deployments, exports, and viewers. */

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadedBytes, useChromium } from "../../../test/browser/chromium.ts";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { firstAdmin, firstLink, type Member, newMember, password } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { docs as manyPages, unpack } from "../../../test/service/exports.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";

const { open } = useChromium();
let service: TestService;
let organization: TestOrganization;
let admin: Member;
let base: string;
let project: string;
let host: string;

beforeAll(async () => {
  service = await openTestService({ background: true });
  organization = await newOrganization(service);
  admin = await newMember(service, organization.id, "admin");
  base = `http://localhost:${service.port}`;
  project = `${base}${admin.home}/p/${organization.projectId}`;
  host = `${organization.subdomain}.localhost`;
});
afterAll(() => service.stop());

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

test("the link of the first start creates the first admin, who creates a key that works with curl", async () => {
  const link = await firstLink(service);
  await open(link, async (page, complaints) => {
    const createAccount = async (organizationName: string) => {
      await page.getByLabel("Organization").fill(organizationName);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
    };
    await page.getByLabel("Email").fill("first@example.com");
    await page.getByLabel("Your name").fill("Ada First");
    await createAccount("www.example.com");
    await page.getByRole("link", { name: "Organization must not contain a URL" }).waitFor();
    complaints.list.length = 0;
    await createAccount("Acme Plants");
    await heading(page, "Acme Plants");
    await page.getByRole("link", { name: "API keys" }).click();
    await heading(page, "API keys");
    // The project's id is on the same page, with a copy button.
    const { projects } = await (
      await fetch(`${base}/v1/projects`, { headers: { authorization: `Bearer ${service.firstKey}` } })
    ).json();
    expect(await page.getByLabel(/^ID of /).textContent()).toBe(projects[0].id);

    await page.getByLabel("Name", { exact: true }).fill("From a browser");
    expect(await page.getByLabel("Project", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Type").selectOption("assistant");
    expect(await page.getByLabel("Project", { exact: true }).isVisible()).toBe(true);
    expect(await page.getByLabel("Read", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Type").selectOption("admin");
    await page.getByLabel("Write", { exact: true }).uncheck();
    await page.getByLabel("Expires").selectOption("7");
    await page.getByRole("button", { name: "Create key" }).click();
    await heading(page, /From a browser/);
    const key = (await page.getByLabel("API key", { exact: true }).textContent())!;
    const command = (await page.locator(".d-snippet", { hasText: "Try it" }).locator("pre").textContent())!;
    expect(command).toContain(key);
    // The service runs in this process, so the command must not block it.
    expect((await promisify(execFile)("sh", ["-c", command])).stdout).toContain(projects[0].id);

    await page.getByRole("link", { name: "Done" }).click();
    expect(await page.getByText(key).count()).toBe(0);
    await page.getByRole("link", { name: "Revoke From a browser" }).click();
    await page.getByLabel("Type From a browser to confirm").fill("From a browser");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Key revoked").waitFor();
    expect((await fetch(`${base}/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
      401,
    );
  });
  await expect(firstAdmin(service)).rejects.toThrow();
});

test("an id is copied by its button", async () => {
  const options = { storageState: admin.storageState(), permissions: ["clipboard-read", "clipboard-write"] };
  await open(
    `${base}${admin.home}/keys`,
    async (page) => {
      await page.getByRole("button", { name: /^Copy ID of/ }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(organization.projectId);
    },
    options,
  );
});

test("after a rollback with one click, the site shows the older page", async () => {
  await deploy(organization, docs("Older words"));
  await deploy(organization, docs("Newer words"));
  await until(async () => (await visit(service, host)).text.includes("Newer words"));
  await open(
    project,
    async (page) => {
      await page.getByRole("link", { name: "Deployments", exact: true }).click();
      await page.getByRole("link", { name: "Deployment 1" }).click();
      await page.getByRole("button", { name: "Roll back to this deployment" }).click();
      await page.getByText("Rolled back. The selected deployment is live.").waitFor();
      expect((await visit(service, host)).text).toContain("Older words");
      await page.getByRole("link", { name: "Visit site" }).click();
      await page.getByText("Older words").waitFor();
    },
    { storageState: admin.storageState() },
  );
});

test("a held deployment goes live with Publish anyway", async () => {
  await deploy(organization, docs("Good words"));
  const { id } = await deploy(organization, docs("Bad words", { "broken.mdx": "# Broken\n\n<Note>\n" }));
  await open(
    `${project}/deployments`,
    async (page) => {
      await page
        .getByRole("row", { name: /Held: 1 new error/ })
        .getByText("Held", { exact: true })
        .waitFor();
      await page.goto(`${project}/deployments/${id}`);
      await page.getByText("The live site doesn't have these errors.").waitFor();
      expect((await visit(service, host)).text).toContain("Good words");
      await page.getByRole("button", { name: "Publish anyway" }).click();
      await page.getByText("Published. The deployment is live.").waitFor();
      expect((await visit(service, host)).text).toContain("Bad words");
      await page.getByText("Live with errors").waitFor();
    },
    { storageState: admin.storageState() },
  );
});

test("a failing deployment updates live and shows the code frame above the log", async () => {
  const { id } = await deploy(organization, {
    ...docs("x"),
    "docs.json": '{\n  "name": "Acme",\n  "theme" "mint"\n}\n',
  });
  await open(
    `${project}/deployments/${id}`,
    async (page) => {
      await page.getByRole("button", { name: "Redeploy" }).click();
      await page.waitForURL(/done=deployment-started/);
      // The page's script reloads it.
      const frame = page.getByRole("region", { name: "Lines around docs.json:3:11" });
      await frame.waitFor();
      expect(await frame.textContent()).toContain('> 3 |   "theme" "mint"');
      const [frameBox, logBox] = [
        await frame.boundingBox(),
        await page.getByRole("region", { name: "Log" }).boundingBox(),
      ];
      expect(frameBox!.y).toBeLessThan(logBox!.y);
      // Screen readers announce the new state.
      await expect.poll(() => page.locator("#oLive").textContent()).toContain("Failed");
    },
    { storageState: admin.storageState() },
  );
});

test("an export is started, its progress is shown, and its archive downloaded", async () => {
  await deploy(organization, manyPages(200));
  await open(
    `${project}/exports`,
    async (page, complaints) => {
      await page.getByLabel("Version").fill("release-7");
      await page.getByRole("button", { name: "Create export" }).click();
      await heading(page, "release-7");
      const seen: number[] = [];
      const bar = page.getByRole("progressbar");
      const download = page.getByRole("link", { name: "Download" });
      const progress = async () => {
        const value = await bar.getAttribute("aria-valuenow", { timeout: 500 }).catch(() => null);
        if (value !== null) seen.push(Number(value));
        return download.count();
      };
      await expect.poll(progress, { timeout: 60_000, interval: 100 }).toBe(1);
      expect(seen.length).toBeGreaterThan(0);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      // Intermediate states depend on the speed of the machine, so only the final state is checked.
      expect(await bar.count()).toBe(0);
      const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
      expect(file.suggestedFilename()).toBe("bundle.tar.gz");
      const files = await unpack(await downloadedBytes(file));
      expect(files.get("guides/page-199.html")!.toString()).toContain("Text 199.");
      expect(JSON.parse(files.get("manifest.json")!.toString()).version).toBe("release-7");
      expect(await page.getByRole("figure", { name: /^values.yaml/ }).textContent()).toContain(
        'version: "release-7"',
      );
      expect(complaints.list).toEqual([]);
    },
    { storageState: admin.storageState(), acceptDownloads: true },
  );
});

test("a form whose button is pressed twice is submitted once", async () => {
  await deploy(organization, docs("Once more"));
  await open(
    `${project}/deployments`,
    async (page) => {
      let sent = 0;
      // The response is slow, and the button is pressed again.
      await page.route("**/deployments", async (route) => {
        sent++;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue().catch(() => {});
      });
      await page.evaluate(`const press = () => document.querySelector("main .d-button-primary").click();
        press();
        setTimeout(press, 300);`);
      await page.waitForURL(/done=deployment-started/);
      expect(sent).toBe(1);
    },
    { storageState: admin.storageState() },
  );
});

test("a form with errors puts the focus on the first invalid field, whose description is the error", async () => {
  await open(
    `${base}${admin.home}/keys`,
    async (page, complaints) => {
      await page.getByLabel("Name", { exact: true }).fill("  ");
      await page.getByLabel("Allowed IPs").fill("example.com");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Invalid key").waitFor();
      const name = page.getByLabel("Name", { exact: true });
      expect(await name.evaluate((field) => document.activeElement === field)).toBe(true);
      expect(await name.getAttribute("aria-invalid")).toBe("true");
      expect(await page.locator("#name-error").textContent()).toBe("Name must not be empty");
      await page.getByRole("link", { name: "Name must not be empty" }).waitFor();
      expect(complaints.list.filter((text) => !text.includes("400"))).toEqual([]);
      complaints.list.length = 0;
    },
    { storageState: admin.storageState() },
  );
});

test("a submitted form's button is disabled, and works again after the user returns", async () => {
  await open(
    `${base}${admin.home}/keys`,
    async (page) => {
      // This listener's timer runs after that of the page's script.
      await page.evaluate(`document.addEventListener("submit", ({ submitter }) =>
        setTimeout(() => sessionStorage.setItem("isDisabled", submitter.disabled)));`);
      await page.getByLabel("Name", { exact: true }).fill("Twice");
      const button = page.getByRole("button", { name: "Create key" });
      await button.click();
      await heading(page, /Twice/);
      expect(await page.evaluate(`sessionStorage.getItem("isDisabled")`)).toBe("true");
      await page.goBack();
      await heading(page, "API keys");
      expect(await button.isEnabled()).toBe(true);
    },
    { storageState: admin.storageState() },
  );
});

test("a chosen folder is packed, uploaded and live", async () => {
  const folder = path.join(temporaryFolder(), "handbook");
  for (const [name, text] of Object.entries({ ...docs("Chosen words"), "node_modules/x.js": "skipped" })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  await open(
    `${project}/deployments`,
    async (page) => {
      await page.getByLabel("Choose folder").setInputFiles(folder);
      await page.waitForURL(/done=deployment-started/);
      await page.getByRole("link", { name: "Visit site" }).click();
      await page.getByText("Chosen words").waitFor();
    },
    { storageState: admin.storageState() },
  );
});

test("a folder that can't be read is reported, and can be chosen again", async () => {
  const folder = path.join(temporaryFolder(), "handbook");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "docs.json"), "{}");
  await open(
    `${project}/deployments`,
    async (page) => {
      await page.evaluate("File.prototype.arrayBuffer = () => Promise.reject(new Error('removed'))");
      await page.getByLabel("Choose folder").setInputFiles(folder);
      await page.getByText("The folder couldn't be read. Try again, or upload an archive instead.").waitFor();
      await expect.poll(() => page.locator(".d-busy").count()).toBe(0);
    },
    { storageState: admin.storageState() },
  );
});

test("the command menu finds pages and actions, by keyboard alone", async () => {
  await open(
    project,
    async (page) => {
      const dialog = page.getByRole("dialog", { name: "Command menu" });
      const field = dialog.getByRole("combobox");
      const selected = () =>
        page.evaluate(
          `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).innerText`,
        );
      await page.getByRole("button", { name: "Search or jump to…" }).focus();
      await page.keyboard.press("Control+k");
      await expect.poll(() => field.evaluate((input) => document.activeElement === input)).toBe(true);
      expect(await selected()).toBe("Overview");
      await page.keyboard.press("ArrowUp");
      expect(await selected()).toBe("Account and sessions");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(await selected()).toBe("Deployments");
      expect(await dialog.getByRole("option", { selected: true }).allInnerTexts()).toEqual(["Deployments"]);

      // Words match the start of words of an entry and the title of its group.
      await page.keyboard.type("exp");
      expect(await dialog.getByRole("option").allInnerTexts()).toEqual(["Static exports", "Create export"]);
      expect(await dialog.getByRole("status").textContent()).toBe("2 results");
      await page.keyboard.type("x");
      await dialog.getByText("No results.").waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(await page.evaluate("document.activeElement.innerText")).toContain("Search or jump to…");

      await page.keyboard.press("Enter");
      await page.keyboard.type("invite");
      await page.keyboard.press("Enter");
      await heading(page, "Members");
      const focused = () => page.evaluate("document.activeElement.id");
      await expect.poll(focused).toBe("email");
      // An action of the current page.
      await page.keyboard.press("Meta+k");
      await page.keyboard.type("invite");
      await page.keyboard.press("Enter");
      await expect.poll(focused).toBe("email");
    },
    { storageState: admin.storageState() },
  );
});

test("on a phone, filters are behind a button with the number of those that are set", async () => {
  await open(
    `${base}${admin.home}/audit`,
    async (page) => {
      const toggle = page.getByRole("button", { name: /^Filters/ });
      const result = page.getByLabel("Result");
      expect(await result.isVisible()).toBe(false);
      await toggle.press("Enter");
      await result.selectOption("success");
      await page.waitForURL(/result=success/);
      // The field that was changed is still visible, and has the focus.
      await expect.poll(() => result.evaluate((field) => document.activeElement === field)).toBe(true);
      expect(await toggle.textContent()).toBe("Filters (1)");
      expect(await toggle.getAttribute("aria-expanded")).toBe("true");
    },
    { storageState: admin.storageState(), viewport: { width: 390, height: 844 } },
  );
});

test("Enter in a field of a new project creates the project", async () => {
  await open(
    `${base}${admin.home}/projects/new#name`,
    async (page) => {
      expect(await page.evaluate("document.activeElement.id")).toBe("name");
      await page.keyboard.type("By keyboard");
      await page.keyboard.press("Tab");
      await page.keyboard.type(`${organization.subdomain}-keyboard`);
      await page.keyboard.press("Enter");
      await heading(page, "By keyboard");
    },
    { storageState: admin.storageState() },
  );
});

test("a revoked invitation leaves the list at once, and returns if that fails", async () => {
  for (const email of ["one@example.com", "two@example.com"])
    await admin.submit(`${admin.home}/members`, { email, role: "viewer" });
  await open(
    `${base}${admin.home}/members`,
    async (page, complaints) => {
      const row = (email: string) => page.getByRole("row").filter({ hasText: email });
      const revoke = (email: string) =>
        row(email)
          .getByRole("button", { name: /^Revoke/ })
          .click();
      let release = () => {};
      await page.route("**/withdraw", async (route) => {
        await new Promise<void>((resolve) => (release = resolve));
        await route.abort();
      });
      await revoke("one@example.com");
      // The request is still waiting.
      await expect.poll(() => row("one@example.com").count()).toBe(0);
      release();
      await page.getByRole("alert").getByText("Couldn't save.").waitFor();
      expect(await row("one@example.com").count()).toBe(1);
      complaints.list.length = 0;

      await page.unroute("**/withdraw");
      await page.evaluate("window.isSamePage = true");
      await revoke("one@example.com");
      await expect.poll(() => page.locator("#oLive").textContent()).toContain("Invitation revoked");
      expect(
        await page.evaluate("[window.isSamePage, document.activeElement.getAttribute('aria-label')]"),
      ).toEqual([true, "Pending invitations"]);
      expect([await row("one@example.com").count(), await row("two@example.com").count()]).toEqual([0, 1]);
      // After the last row, the page without the list is shown.
      await revoke("two@example.com");
      await page.getByRole("heading", { name: "Pending invitations" }).waitFor({ state: "detached" });
    },
    { storageState: admin.storageState() },
  );
});

test("pages work without scripts", async () => {
  await deploy(organization, docs("Once more"));
  await open(
    `${project}/deployments`,
    async (page) => {
      await page.getByRole("button", { name: "Deploy", exact: true }).click();
      await page.waitForURL(/done=deployment-started/);
      expect(await page.getByRole("button", { name: "Search or jump to…" }).count()).toBe(0);
      await expect
        .poll(
          async () => {
            const again = page.getByRole("link", { name: "Refresh" });
            if (await again.count()) await again.click();
            return page.getByRole("link", { name: "Visit site" }).count();
          },
          { timeout: 30_000, interval: 500 },
        )
        .toBe(1);
    },
    { storageState: admin.storageState(), javaScriptEnabled: false },
  );
});

test("an invited viewer can read everything and change nothing; an ended session is signed out", async () => {
  let link = "";
  await open(
    `${base}${admin.home}/members`,
    async (page) => {
      await page.getByLabel("Email").fill("vi@example.com");
      await page.getByRole("radio", { name: "Viewer" }).check();
      await page.getByRole("button", { name: "Invite" }).click();
      link = (await page.getByLabel("invitation link", { exact: true }).textContent())!;
      await page.getByText("vi@example.com", { exact: true }).waitFor();
    },
    { storageState: admin.storageState() },
  );

  await open(link, async (page, complaints) => {
    await page.getByLabel("Your name").fill("Vi");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("You've joined the organization").waitFor();
    for (const part of [
      "",
      "/deployments",
      "/exports",
      "/domains",
      "/traffic",
      "/conversations",
      "/questions",
      "/searches",
      "/feedback",
    ]) {
      await page.goto(`${project}${part}`);
      await page.locator("h1").waitFor();
      // The main content has no forms that change data.
      expect(await page.locator('main form[method="post"]').count(), part).toBe(0);
    }
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
    await page.goto(`${project}/settings`);
    await heading(page, "Access denied");
    expect(complaints.list.every((complaint) => /403/.test(complaint))).toBe(true);
    complaints.list.length = 0;

    // Signs in with the keyboard only, in a new session.
    await open(`${base}/dashboard/sign-in`, async (other) => {
      await other.getByLabel("Email").focus();
      await other.keyboard.type("vi@example.com");
      await other.keyboard.press("Tab");
      await other.keyboard.type(password);
      await other.keyboard.press("Enter");
      await other.getByRole("link", { name: "API keys" }).waitFor();
      await other.goto(`${base}/dashboard/account`);
      await other.getByRole("button", { name: /^Sign out .* at / }).click();
      await other.getByText("Session signed out").waitFor();
    });
    await page.goto(`${base}${admin.home}`);
    await heading(page, "Sign in");
  });
});
