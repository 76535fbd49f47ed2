/**
 * A client of the dashboard without a browser: keeps cookies, follows redirects, and fills in and submits
 * forms.
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Answer, operatorToken, send, type TestService } from "./service.ts";
import { until } from "./until.ts";

export interface Form {
  method: string;
  /** Path that the form is sent to. The path of the page if the form has no action. */
  action: string;
  /** Values of the fields, including hidden ones. */
  values: Record<string, string>;
}

export interface DashboardPage extends Answer {
  /** Path and query after redirects. */
  path: string;
  forms: Form[];
}

export interface SubmitOptions {
  /** Path of the page with the form. By default, the form's action. */
  from?: string;
  headers?: Record<string, string>;
}

export type Member = Awaited<ReturnType<typeof join>>;

export const password = "correct horse battery";

/** Creates a client without a session. */
export function visitor({ port }: Pick<TestService, "port">) {
  const cookies = new Map<string, string>();

  const ask = async (
    path: string,
    more: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await send({
      port,
      path,
      ...more,
      headers: { ...(cookie ? { cookie } : {}), ...more.headers },
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0/.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  };

  const follow = async (path: string, answer: Answer): Promise<DashboardPage> => {
    const to = answer.headers.location;
    if (answer.status === 303 && typeof to === "string" && to.startsWith("/"))
      return follow(to, await ask(to));
    return { ...answer, path, forms: formsOf(answer.text, path) };
  };

  const get = async (path: string) => follow(path, await ask(path));

  /** Posts only these values and doesn't follow redirects. */
  const post = (path: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(path, {
      method: "POST",
      body: new URLSearchParams(values).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  /** Posts a form with a file, as browsers do. Without `file`, none is chosen. */
  const postFile = async (
    path: string,
    values: Record<string, string>,
    file: { name: string; bytes: Uint8Array } = { name: "", bytes: new Uint8Array() },
  ) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.append(name, value);
    form.append("archive", new File([file.bytes as Uint8Array<ArrayBuffer>], file.name));
    const request = new Request("http://localhost", { method: "POST", body: form });
    const body = Buffer.from(await request.arrayBuffer());
    return ask(path, {
      method: "POST",
      body,
      headers: { "content-type": request.headers.get("content-type")! },
    });
  };

  return {
    ask,
    get,
    post,
    postFile,
    /** Loads the page, fills in the form with this action, submits it and follows redirects. */
    async submit(
      action: string,
      values: Record<string, string> = {},
      { from = action, headers = {} }: SubmitOptions = {},
    ) {
      const page = await get(from);
      const form = page.forms.find((form) => form.method === "post" && form.action === action);
      if (!form)
        throw new Error(
          `${from} (${page.status}) has no form to ${action}: ${page.forms.map((form) => form.action).join(" ")}`,
        );
      return follow(action, await post(action, { ...form.values, ...values }, headers));
    },
    /** CSRF token of a page's forms. */
    token: async (path: string) =>
      (await get(path)).forms.find((form) => "_token" in form.values)?.values._token ?? "",
    /** Cookies in the format of Playwright. */
    storageState: () => ({
      cookies: [...cookies].map(([name, value]) => ({
        name,
        value,
        domain: "localhost",
        path: "/",
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: "Lax" as const,
      })),
      origins: [],
    }),
  };
}

/** Opens an invitation link and creates an account. */
export async function join(
  service: Pick<TestService, "port">,
  link: string,
  name = "Ana",
  email = emailOf(name),
) {
  const path = new URL(link).pathname;
  const browser = visitor(service);
  const page = await browser.submit(path, { email, name, password });
  const organizationId = /^\/dashboard\/o\/([^/?]+)/.exec(page.path)?.[1];
  if (organizationId === undefined)
    throw new Error(`Nobody came in by ${path}: ${page.status} ${page.path}\n${page.text}`);
  return { ...browser, email, name, organizationId, home: `/dashboard/o/${organizationId}` };
}

/** The secret that the page for setting up two-factor authentication shows, and the form's copy of it. */
export function secondFactorOn({ text, forms }: DashboardPage): { secret: string; sealed: string } {
  const { values } = forms.find(({ values }) => "sealed" in values)!;
  return { secret: /aria-label="setup key">([A-Z2-7]+)</.exec(text)![1]!, sealed: values.sealed! };
}

/**
 * Waits for a value that the first start prints after the label, since it may be printed after the service is
 * ready.
 */
export async function printed(service: Pick<TestService, "output">, label: string): Promise<string> {
  const find = () => new RegExp(`${label}\\s+(\\S+)`).exec(service.output())?.[1];
  await until(async () => find() !== undefined);
  return find()!;
}

/** The invitation link that the first start prints or, in production, writes to the data folder. */
export async function firstLink(service: Pick<TestService, "output" | "dataFolder">): Promise<string> {
  const text = await printed(service, "First admin");
  if (text.startsWith("http")) return text;
  return /First admin\s+(\S+)/.exec(
    readFileSync(path.join(service.dataFolder, "first-start.txt"), "utf8"),
  )![1]!;
}

export async function firstAdmin(service: TestService): Promise<Member> {
  return join(service, await firstLink(service));
}

/** Invites a new member to an organization as the operator, and creates the member's account. */
export async function newMember(
  service: Pick<TestService, "port">,
  organizationId: string,
  role: "viewer" | "editor" | "admin" = "admin",
  name = "Ana",
): Promise<Member> {
  const email = emailOf(name);
  const answer = await send({
    port: service.port,
    path: `/operator/v1/organizations/${organizationId}/invitations`,
    method: "POST",
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: JSON.stringify({ email, role }),
  });
  if (answer.status !== 201) throw new Error(`No invitation: ${answer.status} ${answer.text}`);
  return join(service, answer.json.url, name, email);
}

function emailOf(name: string): string {
  return `${name.toLowerCase()}-${randomBytes(4).toString("hex")}@example.com`;
}

/** Parses forms with regular expressions, which is sufficient for the dashboard's HTML. */
function formsOf(html: string, path: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = "", inside = ""]) => {
    const values: Record<string, string> = {};
    for (const [, attributes = ""] of inside.matchAll(/<input\b([^>]*?)\/?>/g)) {
      const isUnchecked = /type="(?:checkbox|radio)"/.test(attributes) && !/\schecked\b/.test(attributes);
      const name = attribute(attributes, "name");
      if (name !== undefined && !isUnchecked) values[name] = attribute(attributes, "value") ?? "";
    }
    for (const [, attributes = "", text = ""] of inside.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs))
      values[attribute(attributes, "name")!] = unescaped(text);
    for (const [, attributes = "", options = ""] of inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, option = ""]) => option);
      const chosen = all.find((option) => /\sselected\b/.test(option)) ?? all[0];
      values[attribute(attributes, "name")!] = (chosen && attribute(chosen, "value")) ?? "";
    }
    return { method: attribute(tag, "method") ?? "get", action: attribute(tag, "action") ?? path, values };
  });
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(` ${tag}`)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
