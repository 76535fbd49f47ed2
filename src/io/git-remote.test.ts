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
  expect(remote.config["http.extraHeader"]).toBe(
    `Authorization: Basic ${Buffer.from(sent).toString("base64")}`,
  );
});

test.each([
  ["git.example.com", "git.example.com"],
  ["git.example.com:2222", "[git.example.com]:2222"],
])("SSH without a deploy key connects to the IP address that was checked: %s", async (host, knownAs) => {
  const { url } = checkGitSource(
    { url: `ssh://git@${host}/docs.git`, branch: "main" },
    { protocols: ["ssh"] },
  );
  const remote = await openRemote({}, url, "unused", { ...options, allowPrivate: true });
  expect(remote.env.GIT_SSH_COMMAND).toBe(
    `ssh -o 'BatchMode="yes"' -o 'HostKeyAlias="${knownAs}"' -o 'HostName="93.184.215.14"'`,
  );
});

test("an invalid encoding in the user name of an SSH URL is refused", () => {
  const source = { url: "ssh://%zz@git.example.com/docs.git", branch: "main" };
  expect(() => checkGitSource(source, { protocols: ["ssh"] })).toThrow(GitRefused);
});
