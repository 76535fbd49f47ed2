// Programs that some tests need, from Debian's packages. Without them, these tests are skipped.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "../../scripts/prepare.js";

/** Debian packages, and an executable or header of each. */
const packages = {
  apache2: "/usr/sbin/apache2",
  caddy: "caddy",
  curl: "curl",
  "firefox-esr": "/usr/bin/firefox-esr",
  "g++": "g++",
  "libcurl4-openssl-dev": "/usr/include/x86_64-linux-gnu/curl/curl.h",
  neovim: "nvim",
  nginx: "/usr/sbin/nginx",
  "openssh-server": "/usr/sbin/sshd",
  pgbouncer: "pgbouncer",
  "php-cli": "php",
  "php-curl": "php",
  ruby: "ruby",
  varnish: "/usr/sbin/varnishd",
  "webkit2gtk-driver": "/usr/bin/WebKitWebDriver",
  xvfb: "/usr/bin/Xvfb",
};

const isThere = (name) =>
  name.startsWith("/") ? existsSync(name) : spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

/** Installs the programs in CI, on Debian, as root. Returns the packages that are missing afterwards. */
export function ensurePrograms() {
  const missing = () => Object.keys(packages).filter((name) => !isThere(packages[name]));
  const wanted = missing();
  if (wanted.length === 0 || !process.env.CI || process.getuid?.() !== 0 || !isThere("apt-get"))
    return wanted;
  console.error(`Installing ${wanted.join(", ")} with apt-get…`);
  const quiet = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
  };
  run("apt-get", ["update", "-qq"], quiet);
  // The services of the packages don't start.
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...wanted], quiet);
  return missing();
}

// Workflows run this file as root.
if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(ensurePrograms().length === 0 ? 0 : 1);
