import { expect, test } from "vitest";
import { readBundleConfiguration } from "./bundle-configuration.ts";
import { readConfiguration } from "./service-configuration.ts";

const secret = { OCTAVO_SECRET: "0123456789abcdef".repeat(2) };
const bundle = { OCTAVO_BUNDLE_URL: "site.tar.gz" };

test("trusted proxies are IP addresses and CIDR ranges", () => {
  const env = { OCTAVO_TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
  expect(readConfiguration({ ...secret, ...env }).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
  expect(readBundleConfiguration({ ...bundle, ...env }).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
});

test.each(["10.0.0.0/", "proxy.example.com", "10.0.0.0/8 10.1.0.0/16"])(
  "invalid trusted proxies are reported: %s",
  (text) => {
    const env = { OCTAVO_TRUSTED_PROXIES: text };
    expect(() => readConfiguration({ ...secret, ...env })).toThrow("OCTAVO_TRUSTED_PROXIES must be");
    expect(() => readBundleConfiguration({ ...bundle, ...env })).toThrow("OCTAVO_TRUSTED_PROXIES must be");
  },
);

test.each(["short", "x".repeat(64), " ".repeat(64), "123456789".repeat(10)])(
  "a secret that is easy to guess is refused: %s",
  (text) => {
    expect(() => readConfiguration({ OCTAVO_SECRET: text })).toThrow(
      "OCTAVO_SECRET must be at least 32 characters long",
    );
  },
);

test.each([{}, { PORT: "4000" }, { PORT: "5000", OCTAVO_INTERNAL_PORT: "5000" }])(
  "both ports can't be the same: %j",
  (ports) => {
    const env = { OCTAVO_INTERNAL_PORT: "4000", ...ports };
    expect(() => readConfiguration({ ...secret, ...env })).toThrow("OCTAVO_INTERNAL_PORT must be");
    expect(() => readBundleConfiguration({ ...bundle, ...env })).toThrow("OCTAVO_INTERNAL_PORT must be");
  },
);

test("an invalid log level is reported", () => {
  const env = { OCTAVO_LOG_LEVEL: "verbose" };
  expect(() => readConfiguration({ ...secret, ...env })).toThrow("OCTAVO_LOG_LEVEL must be one of");
  expect(() => readBundleConfiguration({ ...bundle, ...env })).toThrow("OCTAVO_LOG_LEVEL must be one of");
});

test("a build has one thread by default, and an invalid number of threads is reported", () => {
  expect(readConfiguration(secret).buildThreads_count).toBe(1);
  expect(readConfiguration({ ...secret, OCTAVO_BUILD_THREADS: "4" }).buildThreads_count).toBe(4);
  for (const text of ["0", "65", "many"])
    expect(() => readConfiguration({ ...secret, OCTAVO_BUILD_THREADS: text })).toThrow(
      "OCTAVO_BUILD_THREADS must be a whole number",
    );
});

test("there is no embedding model by default, and it is for English pages", () => {
  expect(readConfiguration(secret).embedding).toBeUndefined();
  const env = { OCTAVO_EMBEDDING_BASE_URL: "http://127.0.0.1:11434/v1", OCTAVO_EMBEDDING_NAME: "tiny" };
  expect(readConfiguration({ ...secret, ...env }).embedding).toEqual({
    endpoint: { baseUrl: "http://127.0.0.1:11434/v1", name: "tiny", timeout_s: 5 },
    languages: new Set(["en"]),
    timeout_s: 5,
  });
});

test.each([
  [{ OCTAVO_EMBEDDING_FOLDER: "/nowhere" }, "there is no file at /nowhere/index.js"],
  [{ OCTAVO_EMBEDDING_FOLDER: "/nowhere", OCTAVO_EMBEDDING_BASE_URL: "http://a/v1" }, "not both"],
  [
    { OCTAVO_EMBEDDING_BASE_URL: "a/v1", OCTAVO_EMBEDDING_NAME: "tiny" },
    "OCTAVO_EMBEDDING_BASE_URL must be a URL",
  ],
  [{ OCTAVO_EMBEDDING_BASE_URL: "http://a/v1" }, "OCTAVO_EMBEDDING_NAME must be set"],
  [{ OCTAVO_EMBEDDING_NAME: "tiny" }, "requires OCTAVO_EMBEDDING_BASE_URL"],
  [
    {
      OCTAVO_EMBEDDING_BASE_URL: "http://a/v1",
      OCTAVO_EMBEDDING_NAME: "tiny",
      OCTAVO_EMBEDDING_LANGUAGES: "en, de-CH",
    },
    "language codes",
  ],
])("invalid settings of the embedding model are reported: %j", (env, message) => {
  expect(() => readConfiguration({ ...secret, ...env })).toThrow(message);
});
