/** What a build process gets from its parent's environment: what it needs, and no secret. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/build.ts";
import { buildEnvironment } from "../../main/build-environment.ts";
import { BuildProcess } from "./build-process.ts";

test("extra certificate authorities reach the build process, secrets do not", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `process.on("message", ({ id }) => process.send({ id, event: "file", bytes: Buffer.from(JSON.stringify(process.env)) }));`,
  );
  const env = buildEnvironment({ PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: "/etc/company-ca.pem", OCTAVO_SECRET: "canary" });
  const builder = new BuildProcess({ module, env });
  const bytes = await builder.file("");
  builder.end();
  const environment = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
  expect(environment).toMatchObject({ NODE_EXTRA_CA_CERTS: "/etc/company-ca.pem", TZ: "UTC" });
  expect(environment.OCTAVO_SECRET).toBeUndefined();
});
