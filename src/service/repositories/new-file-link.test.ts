import { expect, test } from "vitest";
import type { SourceRepository } from "../../engine/plan/export-target.ts";
import { newFileLink } from "./new-file-link.ts";

const link = (repository: Partial<SourceRepository>, content = "a&b\n# c") =>
  newFileLink(
    { url: "https://github.com/acme/docs.git", branch: "feat/x", isPublic: true, ...repository },
    "why.mdx",
    content,
  );

test.each<[string, Partial<SourceRepository>, string]>([
  [
    "GitHub",
    { directory: "site docs" },
    "https://github.com/acme/docs/new/feat/x?filename=site%20docs%2Fwhy.mdx&value=a%26b%0A%23%20c",
  ],
  [
    "GitHub",
    { url: "ssh://git@github.com/acme/docs.git" },
    "https://github.com/acme/docs/new/feat/x?filename=why.mdx&value=a%26b%0A%23%20c",
  ],
  [
    "Codeberg",
    { url: "https://codeberg.org/acme/docs", directory: "docs" },
    "https://codeberg.org/acme/docs/_new/feat/x/docs?filename=why.mdx&value=a%26b%0A%23%20c",
  ],
  [
    "GitLab",
    { url: "https://git.example.com/team/acme/docs", host: "gitlab", directory: "docs" },
    "https://git.example.com/team/acme/docs/-/new/feat/x?file_name=docs%2Fwhy.mdx",
  ],
])("on %s, a link opens the page to create a file: %j", (host, repository, url) => {
  expect(link(repository)).toEqual({ host, url, hasContent: host !== "GitLab" });
});

test("there is no link if the kind of the host is unknown, or the host has no such page", () => {
  expect(link({ url: "https://git.example.com/acme/docs" })).toBeUndefined();
  expect(link({ url: "https://bitbucket.org/acme/docs" })).toBeUndefined();
});

test("a link of up to 7,000 characters contains the content", () => {
  const withoutContent = link({}, "")!.url.length;
  const longest = "x".repeat(7_000 - withoutContent);
  expect(link({}, longest)!.url).toHaveLength(7_000);
  expect(link({}, `${longest}x`)!.hasContent).toBe(false);
});

test("content that is too long for a URL is left out of the link", () => {
  expect(link({}, "x".repeat(10_000))).toEqual({
    host: "GitHub",
    url: "https://github.com/acme/docs/new/feat/x?filename=why.mdx",
    hasContent: false,
  });
});
