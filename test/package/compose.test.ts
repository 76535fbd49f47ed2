/** Checks the settings in `compose.yaml`. Doesn't start containers. */

import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/main/service-configuration.ts";

interface Compose {
  services: Record<
    string,
    {
      image: string;
      build?: { target: string };
      environment: Record<string, string>;
      depends_on?: object;
      volumes: string[];
    }
  >;
  volumes: Record<string, null>;
}

const { services, volumes } = load(readFileSync("compose.yaml", "utf8")) as Compose;
const page = readFileSync("docs/service/docker.mdx", "utf8");
const secret = "0123456789abcdef".repeat(4);

/** Replaces variables by `secret`, or by their default. */
const interpolated = (text: string) =>
  text.replace(/\$\{(\w+)(?::-([^}]*)|:\?)\}/g, (_, _name: string, value?: string) => value ?? secret);

test("the service accepts the settings, and uses the database and the store", () => {
  const env = Object.fromEntries(
    Object.entries(services.octavo!.environment).map(([name, text]) => [name, interpolated(text)]),
  );
  const { databaseUrl, storage } = readConfiguration({ PORT: "4000", OCTAVO_DATA: "/data", ...env });
  expect(databaseUrl).toBe(`postgres://octavo:${secret}@database/octavo`);
  expect(storage).toBe("s3://octavo?endpoint=http://store:9000&region=us-east-1");
  expect(Object.keys(services.octavo!.depends_on!)).toEqual(["database", "store"]);
});

test("the docs create each required secret", () => {
  const required = [...readFileSync("compose.yaml", "utf8").matchAll(/\$\{(\w+):\?\}/g)].map(
    ([, name]) => name!,
  );
  const created = /for name in ([^;]+);/.exec(page)![1]!.split(" ");
  expect([...new Set(required)].toSorted()).toEqual(created.toSorted());
});

test("the image is the version's, and every volume is declared", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(services.octavo).toMatchObject({ image: `octavo:${version}`, build: { target: "octavo" } });
  expect(
    Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(":")[0])),
  ).toEqual(Object.keys(volumes));
});
