/** Password reset, two-factor authentication and email of accounts. */

import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Member,
  newMember,
  password,
  secondFactorOn,
  visitor,
} from "../../../test/service/dashboard.ts";
import { type ReceivedEmail, startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";

const newPassword = "a different sentence";
const account = "/dashboard/account";
const setup = `${account}/two-factor`;

let service: TestService;
let mail: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  mail = await startMailServer();
  service = await openTestService({
    env: { ...trusting, OCTAVO_SMTP_URL: mail.url, OCTAVO_MAIL_FROM: "Octavo <docs@example.com>" },
  });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

let networks = 0;
/** Headers of a request from a network that no other request came from. */
const elsewhere = () => ({ "x-forwarded-for": `12.${networks >> 8}.${networks++ & 255}.7` });

const signIn = (email: string, secret: string) => {
  const browser = visitor(service);
  return browser
    .submit("/dashboard/sign-in", { email, password: secret }, { headers: elsewhere() })
    .then((page) => ({ browser, page }));
};

const emailTo = async (address: string, count = 1): Promise<ReceivedEmail> => {
  const own = () => mail.received.filter(({ to }) => to.includes(address));
  await until(async () => own().length >= count);
  return own().at(-1)!;
};
const linkIn = ({ text }: ReceivedEmail, kind: string) =>
  new URL(new RegExp(`http://\\S+/dashboard/${kind}/[\\w-]+`).exec(text)![0]).pathname;

/** Turns two-factor authentication on. Returns a function that makes codes, and the recovery codes. */
async function protect(member: Pick<Member, "get" | "submit">) {
  const { secret, sealed } = secondFactorOn(await member.get(setup));
  const codeAt = (offset_steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + offset_steps * 30_000,
    });
  // The previous code, so that the current one isn't used yet.
  const done = await member.submit(setup, { code: codeAt(-1), sealed });
  const recovery = /<code>((?:[0-9a-z]{5}-[0-9a-z]{5}\s*){10})<\/code>/
    .exec(done.text)![1]!
    .trim()
    .split("\n");
  return { codeAt, recovery };
}

describe("a forgotten password", () => {
  test("is reset with the link of an email, which works once and ends all sessions", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const sent = await visitor(service).submit(
      "/dashboard/forgot-password",
      { email: member.email },
      { headers: elsewhere() },
    );
    expect(sent.text).toContain("sent a reset link");
    const path = linkIn(await emailTo(member.email), "reset-password");
    const browser = visitor(service);
    expect((await browser.submit(path, { password: "short" })).status).toBe(400);
    const done = await browser.submit(path, { password: newPassword });
    expect(done.text).toContain("Sign in with your new password");
    expect((await visitor(service).get(path)).status).toBe(410);
    expect((await member.get(account)).path).toMatch(/^\/dashboard\/sign-in/);
    expect((await signIn(member.email, password)).page.status).toBe(401);
    expect((await signIn(member.email, newPassword)).page.status).toBe(200);
  });

  test("a newer link replaces the earlier one, and a stranger's guess finds nothing", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const links: string[] = [];
    for (const count of [1, 2]) {
      await visitor(service).submit(
        "/dashboard/forgot-password",
        { email: member.email },
        { headers: elsewhere() },
      );
      links.push(linkIn(await emailTo(member.email, count), "reset-password"));
    }
    const statuses = await Promise.all(
      [...links, "/dashboard/reset-password/guess"].map(
        async (path) => (await visitor(service).get(path)).status,
      ),
    );
    expect(statuses).toEqual([410, 200, 410]);
  });

  test("the response is the same for emails without an account, and requests are limited", async () => {
    const ask = (email: string) =>
      visitor(service).submit("/dashboard/forgot-password", { email }, { headers: elsewhere() });
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const [known, unknown] = [await ask(member.email), await ask("no-one@example.com")];
    const plain = (text: string, email: string) =>
      text.replaceAll(email, "EMAIL").replace(/name="_token" value="[^"]*"/g, "");
    expect(plain(known.text, member.email)).toBe(plain(unknown.text, "no-one@example.com"));
    for (const email of [member.email, "no-one@example.com"]) {
      let status = 200;
      for (let n = 0; n < 5; n++) status = (await ask(email)).status;
      expect(status, email).toBe(429);
    }
    expect(mail.received.some(({ to }) => to.includes("no-one@example.com"))).toBe(false);
  });

  test("an admin creates a link for a member, but not for one of other organizations", async () => {
    const [own, other] = [await newOrganization(service), await newOrganization(service)];
    const admin = await newMember(service, own.id, "admin", "Ad");
    const member = await newMember(service, own.id, "viewer", "Mo");
    const memberPath = async () => {
      const { text } = await admin.get(`${admin.home}/members`);
      return [...text.matchAll(/href="([^"]+\/members\/\w+)"[^>]*>Change<span class="o-sr"> (\w+)/g)].find(
        ([, , name]) => name === "Mo",
      )![1]!;
    };
    const path = await memberPath();
    const page = await admin.submit(`${path}/reset-link`, {}, { from: path });
    const link = /http:\/\/[^<\s]+\/reset-password\/[\w-]+/.exec(page.text)![0];
    expect((await visitor(service).submit(new URL(link).pathname, { password: newPassword })).status).toBe(
      200,
    );
    const { url } = await (async () => {
      const boss = await newMember(service, other.id, "admin", "Boss");
      const invited = await boss.submit(`${boss.home}/members`, { email: member.email, role: "viewer" });
      return { url: /http:\/\/[^<\s]+\/invitations\/[\w-]+/.exec(invited.text)![0] };
    })();
    const { browser } = await signIn(member.email, newPassword);
    await browser.submit(new URL(url).pathname);
    expect((await admin.get(path)).text).not.toContain("/reset-link");
    const refused = await admin.post(`${path}/reset-link`, { _token: await admin.token(path) });
    expect([refused.status, refused.text.includes("/reset-password/")]).toEqual([403, false]);
  });
});

describe("what was begun before a new password", () => {
  const newOwner = async () => newMember(service, (await newOrganization(service)).id, "viewer");
  const requestLink = async ({ email }: Member) => {
    await visitor(service).submit("/dashboard/forgot-password", { email }, { headers: elsewhere() });
    const own = () =>
      mail.received.find(({ to, text }) => to.includes(email) && text.includes("/reset-password/"));
    await until(async () => own() !== undefined);
    return linkIn(own()!, "reset-password");
  };
  const change = (member: Member) =>
    member.submit(`${account}/password`, { before: password, after: newPassword }, { from: account });
  const reset = async (member: Member) =>
    visitor(service).submit(await requestLink(member), { password: newPassword });

  test("a second factor has a secret that only the session knows that sets it up", async () => {
    const member = await newOwner();
    const seen = secondFactorOn(await member.get(setup));
    const { browser } = await signIn(member.email, password);
    expect(secondFactorOn(await browser.get(setup)).secret).not.toBe(seen.secret);
    const code = new TOTP({ secret: Secret.fromBase32(seen.secret) }).generate();
    const refused = await browser.submit(setup, { code, sealed: seen.sealed });
    expect([refused.status, refused.text.includes("The form has expired")]).toEqual([400, true]);

    // A wrong code keeps the secret.
    const wrong = await member.submit(setup, { code: "000000", sealed: seen.sealed });
    expect(secondFactorOn(wrong).secret).toBe(seen.secret);
    expect((await member.submit(setup, { code, sealed: seen.sealed })).text).toContain("Recovery codes");
  });

  test.each([
    ["changed", change],
    ["reset by email", reset],
  ])("a sign-in that waits for a code ends when the password is %s", async (_how, renew) => {
    const member = await newOwner();
    const { codeAt } = await protect(member);
    const waiting = await signIn(member.email, password);
    expect(waiting.page.path).toMatch(/^\/dashboard\/sign-in\/code/);
    await renew(member);
    await waiting.browser.post(waiting.page.path, { ...waiting.page.forms[0]!.values, code: codeAt() });
    expect((await waiting.browser.get(account)).path).toMatch(/^\/dashboard\/sign-in/);
  });

  test("a reset link ends when the password is changed", async () => {
    const member = await newOwner();
    const link = await requestLink(member);
    await change(member);
    expect((await visitor(service).get(link)).status).toBe(410);
  });
});

describe("two-factor authentication", () => {
  test("a sign-in needs the password and a code; each code works once", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const { codeAt } = await protect(member);
    const { browser, page } = await signIn(member.email, password);
    expect(page.path).toMatch(/^\/dashboard\/sign-in\/code/);
    expect((await browser.get(account)).path).toMatch(/^\/dashboard\/sign-in/);
    expect((await browser.submit("/dashboard/sign-in/code", { code: "000000" })).status).toBe(401);
    const code = codeAt();
    const done = await browser.submit("/dashboard/sign-in/code", { code });
    expect(done.path).toMatch(/^\/dashboard\/o\//);
    const again = await signIn(member.email, password);
    expect((await again.browser.submit("/dashboard/sign-in/code", { code })).status).toBe(401);
  });

  test("a recovery code works once, in place of a code of the app", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const { recovery } = await protect(member);
    const use = async (code: string) => {
      const { browser } = await signIn(member.email, password);
      return (await browser.submit("/dashboard/sign-in/code", { code })).status;
    };
    expect([
      await use(recovery[0]!),
      await use(recovery[0]!),
      await use(recovery[1]!.toUpperCase().replace("-", " ")),
    ]).toEqual([200, 401, 200]);
    expect((await member.get(account)).text).toContain("8 recovery codes left");
  });

  test("wrong codes are limited, also across sign-ins", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const { codeAt } = await protect(member);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const { browser } = await signIn(member.email, password);
      statuses.push((await browser.submit("/dashboard/sign-in/code", { code: "000000" })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const { browser } = await signIn(member.email, password);
    expect((await browser.submit("/dashboard/sign-in/code", { code: codeAt() })).status).toBe(429);
  });

  test("who knows the password can't lock the owner out: known browsers and recovery codes have their own limits", async () => {
    const member = await newMember(service, (await newOrganization(service)).id, "viewer");
    const { codeAt, recovery } = await protect(member);
    const known = await signIn(member.email, password);
    expect((await known.browser.submit("/dashboard/sign-in/code", { code: codeAt() })).status).toBe(200);
    const attacker = await signIn(member.email, password);
    for (let n = 0; n < 12; n++) await attacker.browser.submit("/dashboard/sign-in/code", { code: "000000" });
    const enter = async (browser: typeof known.browser, code: string, headers = {}) => {
      await browser.submit("/dashboard/sign-in", { email: member.email, password }, { headers: elsewhere() });
      return (await browser.submit("/dashboard/sign-in/code", { code }, { headers })).status;
    };
    // The same network as the attacker's.
    await known.browser.submit("/dashboard/sign-out", {}, { from: account });
    expect(await enter(known.browser, codeAt(1))).toBe(200);
    expect(await enter(visitor(service), recovery[0]!)).toBe(200);
    // A new browser in another network.
    expect([401, 200]).toContain(await enter(visitor(service), "000000", elsewhere()));
  });

  test("can't be skipped: without a password, by the code page, a reset, or an invitation", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id, "viewer");
    await protect(member);
    const stranger = visitor(service);
    expect((await stranger.get("/dashboard/sign-in/code")).path).toMatch(/^\/dashboard\/sign-in/);
    const token = await stranger.token("/dashboard/sign-in");
    expect((await stranger.post("/dashboard/sign-in/code", { code: "000000", _token: token })).status).toBe(
      410,
    );
    await visitor(service).submit(
      "/dashboard/forgot-password",
      { email: member.email },
      { headers: elsewhere() },
    );
    // The first email is about two-factor authentication.
    await visitor(service).submit(linkIn(await emailTo(member.email, 2), "reset-password"), {
      password: newPassword,
    });
    expect((await signIn(member.email, newPassword)).page.path).toMatch(/^\/dashboard\/sign-in\/code/);
    const boss = await newMember(service, (await newOrganization(service)).id, "admin", "Boss");
    const invited = await boss.submit(`${boss.home}/members`, { email: member.email, role: "viewer" });
    const link = new URL(/http:\/\/[^<\s]+\/invitations\/[\w-]+/.exec(invited.text)![0]).pathname;
    const joining = visitor(service);
    const page = await joining.submit(
      link,
      { email: member.email, name: "x", password: newPassword },
      { headers: elsewhere() },
    );
    expect(page.path).toMatch(/^\/dashboard\/sign-in\/code/);
    expect((await joining.get(boss.home)).path).toMatch(/^\/dashboard\/sign-in/);
    expect((await boss.get(`${boss.home}/members`)).text).not.toContain(
      `${member.email}</td><td>viewer</td><td><time`,
    );
  });

  test("is turned off by its user, or by an admin of the only organization", async () => {
    const organization = await newOrganization(service);
    const admin = await newMember(service, organization.id, "admin", "Ad");
    const member = await newMember(service, organization.id, "viewer", "Mo");
    await protect(member);
    const { text } = await admin.get(`${admin.home}/members`);
    const path = [
      ...text.matchAll(/href="([^"]+\/members\/\w+)"[^>]*>Change<span class="o-sr"> (\w+)/g),
    ].find(([, , name]) => name === "Mo")![1]!;
    await admin.submit(`${path}/two-factor/off`, {}, { from: path });
    expect((await signIn(member.email, password)).page.path).toMatch(/^\/dashboard\/o\//);
    await protect(member);
    await member.submit(`${setup}/off`, {}, { from: account });
    expect((await signIn(member.email, password)).page.path).toMatch(/^\/dashboard\/o\//);
    expect((await admin.get(`${admin.home}/audit`)).text).toMatch(/[Tt]wo-?[Ff]actor/);
  });
});

describe("email", () => {
  test("an invitation is emailed, and can be sent again with a new link", async () => {
    const admin = await newMember(service, (await newOrganization(service)).id, "admin");
    const sent = await admin.submit(`${admin.home}/members`, { email: "new@example.com", role: "editor" });
    expect(sent.text).toContain("We emailed this link to new@example.com");
    const first = linkIn(await emailTo("new@example.com"), "invitations");
    const { forms } = await admin.get(`${admin.home}/members`);
    const { action } = forms.find(({ action }) => action.endsWith("/resend"))!;
    await admin.submit(action, {}, { from: `${admin.home}/members` });
    const second = linkIn(await emailTo("new@example.com", 2), "invitations");
    const statuses = await Promise.all(
      [first, second].map(async (path) => (await visitor(service).get(path)).status),
    );
    expect(statuses).toEqual([410, 200]);
  });

  test("invitations send few emails to one address, from however many organizations and invitations", async () => {
    const to = "stranger@example.com";
    const before = mail.received.length;
    for (let round = 0; round < 3; round++) {
      const admin = await newMember(service, (await newOrganization(service)).id, "admin");
      const members = `${admin.home}/members`;
      const invite = () => admin.submit(members, { email: to, role: "viewer" });
      await invite();
      const { forms } = await admin.get(members);
      await admin.submit(
        forms.find(({ action }) => action.endsWith("/resend"))!.action,
        {},
        { from: members },
      );
      await admin.submit(
        forms.find(({ action }) => action.endsWith("/withdraw"))!.action,
        {},
        { from: members },
      );
      // The invitation is created, and the admin gets the link.
      expect((await invite()).text).toContain("/dashboard/invitations/");
    }
    const own = mail.received.slice(before).filter((email) => email.to.includes(to));
    expect(own).toHaveLength(5);
  });

  test("an email begins with Octavo's own text, and names in it are quoted, short and without links", async () => {
    const admin = await newMember(service, (await newOrganization(service)).id, "admin");
    const rename = (name: string) => admin.submit(`${account}/name`, { name }, { from: account });
    expect((await rename("Pay at https://evil.example/pay")).status).toBe(400);
    await rename(`Your invoice\nis overdue.\nPay at evil.example ${"x".repeat(60)}`);
    await admin.submit(`${admin.home}/members`, { email: "named@example.com", role: "viewer" });
    const { text } = await emailTo("named@example.com");
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    expect(body).toMatch(/^You've been invited to the organization "/);
    expect(body).toMatch(
      /a user named "Your invoice is overdue\. Pay at evil\. example x+(?:=E2=80=A6)?"\. To join/,
    );
    expect(body).not.toContain("evil.example");
  });

  test("a member can't be invited again", async () => {
    const admin = await newMember(service, (await newOrganization(service)).id, "admin");
    const refused = await admin.submit(`${admin.home}/members`, { email: admin.email, role: "editor" });
    expect([refused.status, refused.text.includes("already a member")]).toEqual([409, true]);
  });
});
