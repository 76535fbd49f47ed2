import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { titleFromSlug } from "../../base/title-from-slug.ts";
import { parseUrl } from "../../base/url.ts";
import { findCheckout } from "../../io/checkout-git.ts";
import { linkIn } from "../../io/plain-folder.ts";
import { PushFailed, pushNewRepository } from "../../io/push-new-repository.ts";
import { createClient } from "../../service/app/client.ts";
import { createOwnProject } from "../../service/projects/contract.ts";
import { type Command, UsageError } from "../command.ts";
import { outputPath } from "../output-path.ts";
import { errorMessage } from "../service-client.ts";
import { starterFiles } from "../starter.ts";
import type { Terminal } from "../terminal.ts";

export const init: Command = {
  name: "init",
  summary: "Create a starter site.",
  usage: "init [DIR] [--name NAME] [--service URL [--subdomain NAME]]",
  example: "octavo init docs --name Acme",
  positionals: 1,
  options: {
    name: { type: "string", argument: "NAME", description: "Site name. Default: the folder name." },
    service: {
      type: "string",
      argument: "URL",
      description:
        "URL of a service. Creates a project there, pushes the site with Git, and prints its URL. Requires an API key in OCTAVO_API_KEY.",
    },
    subdomain: {
      type: "string",
      argument: "NAME",
      description: "Subdomain of the site on the service. Default: the site name.",
    },
  },
  async run({ positionals, values }, terminal) {
    const folder = outputPath(positionals[0] ?? ".");
    const name = typeof values.name === "string" ? values.name : titleFromSlug(path.basename(folder));
    if (exists(path.join(folder, "docs.json")))
      throw new UsageError(`${folder} already has a docs.json. Choose a different folder.`);

    const host =
      typeof values.service === "string"
        ? hostOf(values.service, folder, values.subdomain ?? name, terminal)
        : undefined;
    if (!host && values.subdomain !== undefined) throw new UsageError("--subdomain requires --service URL");
    const remote = host && (await createProject(host, name, terminal));
    if (host && !remote) return 2;

    writeFiles(folder, name, terminal);
    if (host && remote) return push(folder, host, remote, terminal);

    const site = positionals[0] ?? ".";
    const run = (command: string) => `  ${terminal.executable} ${command}`;
    terminal.out(
      [
        "Site created. To preview it, and to build it as static files, run:",
        "",
        run(`dev ${site}`),
        run(`build ${site} --output site`),
      ].join("\n"),
    );

    return 0;
  },
};

/** A service, and the subdomain of a new project. */
interface ProjectHost {
  url: string;
  key: string;
  subdomain: string;
}

/** Checks everything that can be checked before the project is created. */
function hostOf(
  service: string,
  folder: string,
  subdomain: unknown,
  { service: { key } }: Terminal,
): ProjectHost {
  const url = parseUrl(service);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError("--service must be the URL of a service, such as https://docs-service.example.com");
  if (key === undefined) throw new UsageError("--service requires OCTAVO_API_KEY (an API key)");
  if (exists(folder) && findCheckout(folder))
    throw new UsageError(
      `${folder} is in a Git repository. Choose a different folder, or push the repository yourself.`,
    );

  const label = String(subdomain)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63);
  return { url: url.origin, key, subdomain: label };
}

/** Creates the project. Returns the URLs of its repository and site, or undefined after an error. */
async function createProject(
  { url, key, subdomain }: ProjectHost,
  name: string,
  terminal: Terminal,
): Promise<{ repository: string; site: string } | undefined> {
  try {
    const project = await createClient({ url, key })(createOwnProject, { body: { name, subdomain } });
    terminal.note(`Created the project ${project.name}`);
    return { repository: `${url}/git/${project.subdomain}.git`, site: project.url };
  } catch (error) {
    terminal.note(errorMessage(error, { ...terminal, service: { ...terminal.service, url } }));
    return undefined;
  }
}

function writeFiles(folder: string, name: string, terminal: Terminal): void {
  for (const [file, text] of Object.entries(starterFiles(name))) {
    const target = path.join(folder, file);
    if (exists(target)) continue;
    const link = linkIn(folder, file);
    if (link !== undefined) {
      terminal.note(`Skipped ${file}, because ${link} is a symbolic link. Replace the link with a folder.`);
      continue;
    }
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { flag: "wx" });
    terminal.note(`Created ${file}`);
  }
}

async function push(
  folder: string,
  { key }: ProjectHost,
  { repository: url, site }: { repository: string; site: string },
  terminal: Terminal,
): Promise<number> {
  const message = "Add the documentation site";
  let isLive = false;
  try {
    await pushNewRepository(folder, { url, branch: "main", key, message }, (line) => {
      terminal.note(line);
      isLive ||= line.startsWith("Live: ");
    });
  } catch (error) {
    terminal.note((error as Error).message);
    if (error instanceof PushFailed) terminal.note(`To try again, push the branch main to ${url}`);
    return 2;
  }

  terminal.out(
    [
      isLive ? `Live: ${site}` : `Pushed. When the site is live, it will be available at ${site}`,
      "To change it, commit to the repository in the folder, and push. The password is an API key.",
    ].join("\n"),
  );
  return isLive ? 0 : 1;
}

/** Whether there is something at a path, including a link without a target. */
function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
