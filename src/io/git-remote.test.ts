import { expect, test } from "vitest";
import { checkGitSource, GitRefused } from "./check-git-source.ts";
import { openRemote } from "./git-remote.ts";

const options = { path: undefined, lookup: async () => ["93.184.215.14"] };

test.each([
  ["ann:p%40ss", "ann:p@ss"],
  ["ann:100%", "ann:100%"],
])("credentials %s in the URL are sent as %s", async (written, sent) => {
  const { url } = checkGitSource({ url: `https://${written}@git.example.com/docs.git`, branch: "main" }, {});
  const remote = await openRemote({}, url, "unused", options);
  expect(remote.url).toBe("https://git.example.com/docs.git");
  expect(remote.config["http.extraHeader"]).toBe(`Authorization: Basic ${Buffer.from(sent).toString("base64")}`);
});

test("an invalid encoding in the user name of an SSH URL is refused", () => {
  const source = { url: "ssh://%zz@git.example.com/docs.git", branch: "main" };
  expect(() => checkGitSource(source, { protocols: ["ssh"] })).toThrow(GitRefused);
});
