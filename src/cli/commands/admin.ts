import { nearest } from "../../base/nearest.ts";
import { createInvitation } from "../../service/accounts/contract.ts";
import type { Client } from "../../service/app/client.ts";
import { addOperatorDomain, listOperatorDomains } from "../../service/domains/contract.ts";
import { createKey, listKeys, revokeKey } from "../../service/keys/contract.ts";
import { addOperator, listOperators, removeOperator } from "../../service/operator/contract.ts";
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  listOrganizations,
} from "../../service/organizations/contract.ts";
import { createProject, deleteProject, listOrganizationProjects } from "../../service/projects/contract.ts";
import { type Command, type CommandArguments, UsageError } from "../command.ts";
import { errorMessage, serviceClient } from "../service-client.ts";

/** A task of the `admin` command, with the names of its required (`needs`) and optional (`takes`) options. */
interface Task {
  needs: readonly string[];
  takes?: readonly string[];
  run(client: Client, value: (name: string) => string, args: CommandArguments["values"]): Promise<unknown>;
}

const organization = (value: (name: string) => string) => ({ organizationId: value("organization") });
const project = (value: (name: string) => string) => ({ projectId: value("project") });
const list = (text: unknown) =>
  typeof text === "string" ? text.split(",").map((part) => part.trim()) : undefined;

const tasks: Record<string, Task> = {
  organizations: { needs: [], run: (client) => client(listOrganizations) },
  "create-organization": {
    needs: ["name"],
    takes: ["plan"],
    run: (client, value, { plan = "free" }) =>
      client(createOrganization, { body: { name: value("name"), plan } }),
  },
  "change-organization": {
    needs: ["organization"],
    takes: ["name", "plan"],
    run: (client, value, { name, plan }) =>
      client(changeOrganization, { params: organization(value), body: { name, plan } }),
  },
  "delete-organization": {
    needs: ["organization"],
    run: (client, value) => client(deleteOrganization, { params: organization(value) }),
  },
  projects: {
    needs: ["organization"],
    run: (client, value) => client(listOrganizationProjects, { params: organization(value) }),
  },
  "create-project": {
    needs: ["organization", "name", "subdomain"],
    takes: ["git", "branch", "directory"],
    run: (client, value, { git, branch = "main", directory }) =>
      client(createProject, {
        params: organization(value),
        body: {
          name: value("name"),
          subdomain: value("subdomain"),
          ...(git === undefined
            ? {}
            : {
                source: { kind: "git", url: git, branch, ...(directory === undefined ? {} : { directory }) },
              }),
        },
      }),
  },
  "delete-project": {
    needs: ["project"],
    run: (client, value) => client(deleteProject, { params: project(value) }),
  },
  keys: {
    needs: ["organization"],
    run: (client, value) => client(listKeys, { params: organization(value) }),
  },
  "create-key": {
    needs: ["organization", "name"],
    takes: ["type", "project", "scopes", "expires", "allowed-ips", "groups"],
    run: (client, value, { type, project: projectId, scopes, expires, "allowed-ips": ips, groups }) =>
      client(createKey, {
        params: organization(value),
        body: {
          name: value("name"),
          type,
          projectId,
          scopes: list(scopes),
          expiresAt: expires,
          allowedIps: list(ips),
          groups: list(groups),
        },
      }),
  },
  invite: {
    needs: ["organization", "email"],
    takes: ["role"],
    run: (client, value, { role = "admin" }) =>
      client(createInvitation, { params: organization(value), body: { email: value("email"), role } }),
  },
  "revoke-key": {
    needs: ["organization", "key"],
    run: (client, value) => client(revokeKey, { params: { ...organization(value), keyId: value("key") } }),
  },
  domains: {
    needs: ["project"],
    run: (client, value) => client(listOperatorDomains, { params: project(value) }),
  },
  "add-domain": {
    needs: ["project", "domain"],
    takes: ["replace"],
    run: (client, value, { replace = false }) =>
      client(addOperatorDomain, { params: project(value), body: { domain: value("domain"), replace } }),
  },
  operators: { needs: [], run: (client) => client(listOperators) },
  "add-operator": {
    needs: ["user"],
    run: (client, value) => client(addOperator, { body: { userId: value("user") } }),
  },
  "remove-operator": {
    needs: ["user"],
    run: (client, value) => client(removeOperator, { params: { userId: value("user") } }),
  },
};

export const admin: Command = {
  name: "admin",
  summary:
    "Manage organizations, invitations, projects, keys, domains, and operators (requires the operator token).",
  usage: `admin TASK [options]\n\nTasks:\n${Object.entries(tasks)
    .map(
      ([name, { needs, takes = [] }]) =>
        `  ${[name, ...needs.map((need) => `--${need}`), ...takes.map((take) => `[--${take}]`)].join(" ")}`,
    )
    .join("\n")}`,
  example: "octavo admin create-key --organization 01KAJ4V7M2Q8R5T9W3X6Y1Z0AB --name deploys --scopes write",
  positionals: 1,
  options: {
    organization: { type: "string", argument: "ID", description: "Organization ID." },
    project: { type: "string", argument: "ID", description: "Project ID." },
    name: { type: "string", description: "Name of the organization, project, or key." },
    plan: {
      type: "string",
      argument: "free|pro|enterprise",
      description: "Plan. Default for new organizations: free.",
    },
    subdomain: { type: "string", description: "Subdomain for the project's site." },
    git: { type: "string", argument: "URL", description: "Git repository URL." },
    branch: { type: "string", description: "Branch to deploy. Default: main." },
    directory: {
      type: "string",
      description: "Folder that contains docs.json. Default: the repository root.",
    },
    type: { type: "string", argument: "admin|assistant", description: "Key type. Default: admin." },
    scopes: { type: "string", argument: "read,write", description: "Scopes of an admin key. Default: all." },
    expires: {
      type: "string",
      argument: "TIME",
      description: "When the key expires, such as 2027-01-31T12:00:00Z. Default: never.",
    },
    "allowed-ips": {
      type: "string",
      argument: "LIST",
      description: "IPs and CIDR ranges that can use the key, separated by commas. Default: any IP.",
    },
    groups: {
      type: "string",
      argument: "LIST",
      description: "Reader groups for an assistant key, separated by commas. Default: public pages only.",
    },
    key: { type: "string", argument: "ID", description: "Key ID (not the key itself)." },
    email: { type: "string", argument: "ADDRESS", description: "Email address to invite." },
    role: {
      type: "string",
      argument: "admin|editor|viewer",
      description: "Role in the organization. Default: admin.",
    },
    domain: { type: "string", description: "Custom domain, such as docs.example.com or example.com/docs." },
    user: { type: "string", argument: "ID", description: "User ID, as shown on the user's account page." },
    replace: {
      type: "boolean",
      description: "Move the domain to this project if another project has verified it.",
    },
  },
  async run({ positionals: [name], values }, terminal) {
    const task = name !== undefined && Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (!task) {
      const near = name && nearest(name, Object.keys(tasks));
      throw new UsageError(
        name
          ? `Unknown admin task: ${name}${near ? `. Did you mean ${near}?` : ""}`
          : "Missing task. Choose one of the tasks listed below.",
      );
    }

    const value = (option: string) => {
      const given = values[option];
      if (typeof given !== "string") throw new UsageError(`admin ${name} requires --${option}`);
      return given;
    };

    for (const need of task.needs) value(need);
    const client = serviceClient(terminal, "admin", "operatorToken");
    try {
      const result = await task.run(client, value, values);
      if (result !== undefined) terminal.out(JSON.stringify(result, undefined, 2));
      return 0;
    } catch (error) {
      terminal.note(errorMessage(error, terminal));
      return 2;
    }
  },
};
