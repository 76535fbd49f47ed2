/** A reader connects an app in a browser: signs in, allows access, and returns to the app. */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFaults, useChromium } from "../../../test/browser/chromium.ts";
import { siteOf } from "../../../test/engine/build.ts";
import { useHost } from "../../../test/host/host.ts";
import { listen } from "../../../test/shared/listen.ts";
import { hashPassword } from "../../base/password.ts";

const { open } = useChromium();
const host = useHost({
  endpoints: new Map([["/mcp", async ({ response }) => void response.writeHead(200).end()]]),
});
/** The app's server on the reader's machine. */
const app = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<title>App</title>Done.");
});

let callback: string;
beforeAll(async () => {
  await host.directory.publish("readers.localhost", siteOf({ "index.mdx": "Text." }), {
    signIn: { mode: "password", passwordHash: await hashPassword("open sesame") },
  });
  callback = `${await listen(app)}/callback`;
  await host.listen();
});
afterAll(() => app.close());

async function authorizationUrl(): Promise<string> {
  const body = JSON.stringify({ client_name: "Test app", redirect_uris: [callback] });
  const path = "/_octavo/authorize/register";
  const { text } = await host.ask("readers.localhost", path, {}, "POST", body);
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: JSON.parse(text).client_id,
    redirect_uri: callback,
    code_challenge: createHash("sha256").update("verifier").digest("base64url"),
    code_challenge_method: "S256",
    state: "1",
  });
  return `http://readers.localhost:${host.port}/_octavo/authorize?${parameters}`;
}

test.each([
  ["Allow access", "code"],
  ["Cancel", "error"],
])("with the keyboard: signs in, chooses %s, and returns to the app", async (choice, result) => {
  await open(await authorizationUrl(), async (page) => {
    await page.getByLabel("Password").focus();
    await page.keyboard.type("open sesame");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Connect Test app?" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.textContent)) === choice) break;
    }
    await page.keyboard.press("Enter");
    await page.waitForURL(`${callback}?*`);
    const { searchParams } = new URL(page.url());
    expect(searchParams.has(result)).toBe(true);
    expect(searchParams.get("state")).toBe("1");
  });
});
