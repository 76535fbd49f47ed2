/**
 * URLs, branches and directories that try to inject options or commands into git. `marker`: a file that must
 * not be created.
 */
export interface HostileSource {
  url: string;
  branch: string;
  directory?: string;
}

export function hostileSources(marker: string): [string, HostileSource][] {
  const branch = "main";
  const url = "https://git.example.com/team/docs.git";
  return [
    ...[
      `--upload-pack=touch ${marker}`,
      `-utouch ${marker}`,
      `-u https://git.example.com/x`,
      `ext::sh -c "touch ${marker}"`,
      `EXT::sh -c touch% ${marker}`,
      `ext:${marker}`,
      "file:///etc/passwd",
      "FILE:///etc",
      "file:/etc/passwd",
      "/etc/passwd",
      "../repository",
      "C:\\repository",
      `ssh://-oProxyCommand=touch ${marker}/x`,
      "ssh://git@git.example.com/x",
      "git@git.example.com:team/docs.git",
      "git://git.example.com/x",
      "git+ssh://git.example.com/x",
      "http://git.example.com/x",
      "ftp://git.example.com/x",
      "fd::17",
      "https:-x",
      "https://",
      "https://-oProxyCommand=x/y",
      "https://git.example.com",
      "https://git.example.com/x\n--upload-pack=touch",
      "https://git.example.com/x\r\nHost: other",
      "https://git.example.com/x y",
      "https://git.example.com\\@evil.example/x",
      "https://git.example.com/x?service=git-receive-pack",
      "https://git.example.com/x#fragment",
      "javascript:alert(1)",
      "data:text/plain,x",
      "transport::address",
      "",
    ].map((address): [string, { url: string; branch: string }] => [
      `address ${address}`,
      { url: address, branch },
    ]),
    ...[
      "--output=/tmp/x",
      "-x",
      `--upload-pack=touch ${marker}`,
      "main:refs/heads/other",
      "main other",
      "main\n--all",
      "a..b",
      "a//b",
      "/main",
      "main/",
      ".hidden",
      "a/.hidden",
      "main.lock",
      "main@{1}",
      "main~1",
      "main^{/x}",
      "*",
      "HEAD",
      "refs\\heads",
      "",
      "a".repeat(300),
    ].map((name): [string, { url: string; branch: string }] => [
      `branch ${name.slice(0, 40)}`,
      { url, branch: name },
    ]),
    ...["../other", "a/../../b", "..", "docs\0", "C:/docs", ".git", "a\\b"].map(
      (directory): [string, { url: string; branch: string; directory: string }] => [
        `directory ${directory}`,
        { url, branch, directory },
      ],
    ),
  ];
}
