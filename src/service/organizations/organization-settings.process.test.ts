/** Settings of an organization: name, default role, and a logo that is an image and nothing else. */

import { beforeAll, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { pixel } from "../../../test/service/tenant-matrix.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let organization: TestOrganization;
let admin: Member;
let settings: string;

beforeAll(async () => {
  service = await sharedService();
  organization = await newOrganization(service);
  admin = await newMember(service, organization.id, "admin");
  settings = `${admin.home}/settings`;
});

const upload = async (name: string, bytes: Uint8Array) =>
  admin.postFile(`${settings}/logo`, { _token: await admin.token("/dashboard/account") }, { name, bytes });

test("name and default role are saved; invitations start with the role", async () => {
  const saved = await admin.submit(settings, { name: "Renamed & Co", defaultRole: "editor" });
  expect(saved.text).toContain("Settings saved.");
  const params = { organizationId: organization.id };
  expect(await service.operator(endpoints.getOrganization, { params })).toMatchObject({
    name: "Renamed & Co",
    defaultRole: "editor",
  });
  const form = (await admin.get(`${admin.home}/members`)).forms.find(
    ({ action }) => action === `${admin.home}/members`,
  );
  expect(form!.values.role).toBe("editor");
  expect((await admin.submit(settings, { name: "" })).text).toMatch(
    /id="name-error" class="d-field-error">Name /,
  );
  expect((await admin.submit(settings, { defaultRole: "owner" })).status).toBe(400);
  const { text } = await admin.get(`${admin.home}/audit`);
  expect(text).toContain("Update the organization");
});

test.each([
  [
    "an SVG",
    "logo.svg",
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    ),
  ],
  ["HTML that is named like an image", "logo.png", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["a GIF", "logo.gif", Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64")],
  ["a large file", "logo.png", Buffer.concat([pixel, Buffer.alloc(200_001)])],
])("%s is refused, next to its field", async (_name, name, bytes) => {
  const answer = await upload(name, bytes);
  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(/id="logo-error" class="d-field-error">Logo must /);
  expect((await admin.ask(`${admin.home}/logo`)).status).toBe(404);
});

test("a logo is shown in the header, with its own type and to members only", async () => {
  expect((await upload("logo.html", pixel)).status).toBe(303);
  const [, href] = /<img class="d-logo" src="([^"]+)"/.exec((await admin.get(admin.home)).text)!;
  const image = await admin.ask(href!);
  expect([image.status, image.headers["content-type"], image.headers["x-content-type-options"]]).toEqual([
    200,
    "image/png",
    "nosniff",
  ]);
  expect(image.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
  const other = await newMember(service, (await newOrganization(service)).id, "admin", "Otto");
  expect((await other.ask(href!)).status).toBe(404);
  await admin.submit(`${settings}/logo/remove`, {}, { from: settings });
  expect((await admin.get(admin.home)).text).not.toContain("d-logo");
});
