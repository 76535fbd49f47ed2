/**
 * Reads the service's settings from environment variables. All invalid settings are reported in one error.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { readHostName } from "../base/host-name.ts";
import { limits } from "../base/limits.ts";
import { isNetwork } from "../base/networks.ts";
import { parseUrl } from "../base/url.ts";
import { availability, type DeploymentKind, deploymentKinds, type Feature } from "../engine/site/features.ts";
import { type AllowedHosts, allowSetting, parseAllowedHosts } from "../io/allowed-hosts.ts";
import type { EmbeddingEndpointSettings } from "../io/embedding-endpoint.ts";
import type { ModelSettings } from "../io/language-model.ts";
import { localEmbedderScript } from "../io/local-embedder.ts";
import type { MailSettings } from "../io/mailer.ts";
import { privateFolder } from "../io/private-folder.ts";
import type { ProviderSettings } from "../service/accounts/sign-in-provider.ts";
import { readDataFolder } from "./data-folder.ts";
import { defaultPort } from "./default-port.ts";
import { readInternalPort } from "./internal-server.ts";

/** Minimum length of secrets. The output of `openssl rand -base64 32` has 44 characters. */
const secret_chars = 32;
/** Minimum number of different characters in a secret. Random text of the minimum length has about 25. */
const differentChars_count = 10;

export interface Configuration {
  host: string;
  port: number;
  /** Port of `/metrics` and `/tls-check`. Undefined disables them. */
  internalPort: number | undefined;
  dataFolder: string;
  /** Maximum number of threads of a build. */
  buildThreads_count: number;
  /** Number of web processes on the port. */
  webProcesses_count: number;
  /** Base URL of the API and dashboard, without a trailing slash. */
  url: string;
  /** Domain whose subdomains are the sites' host names. */
  sitesDomain: string;
  /**
   * Host name and IP addresses that custom domains must point to. If empty, a custom domain must point to its
   * site's default host.
   */
  domainTargets: string[];
  /** URL of a PostgreSQL server. Undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** Object storage, as for `openObjects`. */
  storage: string;
  /** Secret that keys and hashes are derived from. */
  secret: string;
  /** Whether the secret is stored in the data folder, instead of being set by the operator. */
  ownsSecret: boolean;
  /** New secret for `octavo rotate-secret`. */
  newSecret: string | undefined;
  /** Token of the operator's API calls. Undefined disables them. */
  operatorToken: string | undefined;
  /** API key of the first organization. If undefined, the service generates one. */
  bootstrapKey: string | undefined;
  /** Maximum number of analytics requests of an organization per hour. */
  analyticsLimit_count: number;
  kind: DeploymentKind;
  hasSearch: boolean;
  hasAssistant: boolean;
  hasAnalytics: boolean;
  hasPlayground: boolean;
  /** The assistant's language model, if any. */
  model: ModelSettings | undefined;
  /** Maximum time without data from the model. */
  modelTimeout_s: number;
  /** Embedding model for search by meaning, if any. */
  embedding: EmbeddingSettings | undefined;
  /** Identity provider for single sign-on to the dashboard, if any. */
  provider: ProviderSettings | undefined;
  /** Issuer of `provider` if dashboard users can't sign in with a password. Undefined if they can. */
  requiredIssuer: string | undefined;
  /** SMTP server for emails, if any. */
  mail: MailSettings | undefined;
  /** Lifetime of download links. */
  linkLife_s: number;
  /** Storage quota of an organization. */
  storageLimit_bytes: number;
  /** IP addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is used. */
  trustedProxies: string[];
  logLevel: string;
  /**
   * Source folder of the first project. If empty, the project's source is uploads. If undefined, the source
   * is Octavo's documentation.
   */
  docsFolder: string | undefined;
  /** Protocols that git may use in addition to https, and whether it may connect to private addresses. */
  git: { protocols: ("ssh" | "http" | "file")[]; allowPrivate: boolean };
  /** Hosts that outbound requests may connect to in addition to the public internet. */
  allowed: AllowedHosts;
  /**
   * PEM file with additional trusted certificate authorities (`NODE_EXTRA_CA_CERTS`). Node.js itself also
   * reads this file.
   */
  extraCaFile: string | undefined;
}

/** An embedding model, and the languages whose passages it compares. */
export type EmbeddingSettings = ({ folder: string } | { endpoint: EmbeddingEndpointSettings }) & {
  languages: ReadonlySet<string>;
  /** Timeout for the vector of a question. */
  timeout_s: number;
};

/** Thrown if a setting is invalid or missing. The message is for the operator. */
export class ConfigurationError extends Error {}

/**
 * Reads all settings. Creates the data folder and a secret in it if the operator hasn't set one. Throws
 * `ConfigurationError` with one line for each invalid setting.
 */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const problems: string[] = [];
  const integer = (name: string, fallback: number, minimum: number, maximum: number) => {
    const text = env[name];
    if (text === undefined || text === "") return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      problems.push(`${name} must be a whole number between ${minimum} and ${maximum}`);
    return value;
  };

  const port = integer("PORT", defaultPort, 1, 65_535);
  const dataFolder = readDataFolder(env, problems);
  const url = (env.OCTAVO_URL || `http://localhost:${port}`).replace(/\/+$/, "");
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href !== `${parsed.origin}/`)
    problems.push(
      "OCTAVO_URL must be a URL without a path, query, or user name, such as https://docs-service.example.com",
    );

  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl))
    problems.push("DATABASE_URL must start with postgres:// or postgresql://");
  const storage = env.OCTAVO_STORAGE || `file:${path.join(dataFolder, "objects")}`;
  if (!/^(?:file:\/|file:[A-Za-z]:|s3:\/\/.)/.test(storage))
    problems.push(
      "OCTAVO_STORAGE must be file: followed by an absolute path, or s3://bucket?endpoint=…&region=…",
    );

  const secret = (name: string) => {
    const text = env[name] || undefined;
    if (text !== undefined && isWeak(text)) problems.push(weakSecret(name));
    return text;
  };

  const bootstrapKey = secret("OCTAVO_BOOTSTRAP_KEY");
  if (bootstrapKey !== undefined && !/^oct_[\x21-\x7e]{1,508}$/.test(bootstrapKey))
    problems.push(
      "OCTAVO_BOOTSTRAP_KEY must start with oct_ and contain only printable ASCII characters without spaces",
    );

  const provider = readProvider(env, problems);
  const configuration = {
    host: env.HOST || "127.0.0.1",
    port,
    internalPort: readInternalPort(env, problems),
    dataFolder,
    buildThreads_count: integer("OCTAVO_BUILD_THREADS", 1, 1, limits.buildThreads_count),
    webProcesses_count: integer("OCTAVO_WEB_PROCESSES", 1, 1, limits.webProcesses_count),
    url,
    sitesDomain: (env.OCTAVO_SITES_DOMAIN || "localhost").toLowerCase(),
    domainTargets: readDomainTargets(env, problems),
    databaseUrl,
    storage,
    operatorToken: secret("OCTAVO_OPERATOR_TOKEN"),
    bootstrapKey,
    analyticsLimit_count: integer("OCTAVO_ANALYTICS_LIMIT", 100, 1, 1_000_000_000),
    ...readKind(env, problems),
    model: readModel(env, problems),
    modelTimeout_s: integer("OCTAVO_MODEL_TIMEOUT_S", 20, 1, limits.answer_ms / 1_000),
    embedding: readEmbedding(env, problems, integer("OCTAVO_EMBEDDING_TIMEOUT_S", 5, 1, 60)),
    provider,
    mail: readMail(env, problems),
    requiredIssuer: readSsoOnly(env, problems) ? provider?.issuer : undefined,
    storageLimit_bytes: integer("OCTAVO_STORAGE_LIMIT_MB", 20_000, 1, 1_000_000_000) * 1_000_000,
    linkLife_s: integer("OCTAVO_LINK_SECONDS", 3_600, 60, 7 * 24 * 3_600),
    trustedProxies: readTrustedProxies(env, problems),
    logLevel: readLogLevel(env, problems),
    docsFolder: env.OCTAVO_DOCS,
    git: readGit(env.OCTAVO_GIT_ALLOW ?? "", problems),
    // The first project documents Octavo's API, and its playground may call the API on the same machine.
    allowed: readAllowed(
      env,
      problems,
      parsed && isLoopback(parsed)
        ? `${parsed.hostname}:${parsed.port || (parsed.protocol === "https:" ? 443 : 80)}`
        : "",
    ),
    extraCaFile: readExtraCaFile(env, problems),
    secret: secret("OCTAVO_SECRET"),
    newSecret: secret("OCTAVO_NEW_SECRET"),
  };

  if (problems.length) throw new ConfigurationError(problems.join("\n"));

  return {
    ...configuration,
    secret: configuration.secret ?? storedSecret(dataFolder),
    ownsSecret: configuration.secret === undefined,
  };
}

function readExtraCaFile(env: NodeJS.ProcessEnv, problems: string[]): string | undefined {
  const file = env.NODE_EXTRA_CA_CERTS || undefined;
  if (file !== undefined && !existsSync(file))
    problems.push(`NODE_EXTRA_CA_CERTS must be the path to a PEM file, but there is no file at ${file}`);
  return file;
}

/**
 * Reads the kind and features of the service's sites. The operator can turn off features that the kind
 * includes, and turn optional features on or off.
 */
function readKind(env: NodeJS.ProcessEnv, problems: string[]) {
  const kind = (env.OCTAVO_KIND || "cloud") as DeploymentKind;
  if (!deploymentKinds.includes(kind))
    problems.push(`OCTAVO_KIND must be one of ${deploymentKinds.join(", ")}`);

  const isOn = (feature: Feature, byDefault: boolean) => {
    const name = `OCTAVO_${feature.toUpperCase()}`;
    const text = env[name] || undefined;
    if (text !== undefined && text !== "true" && text !== "false")
      problems.push(`${name} must be true or false`);
    const is = deploymentKinds.includes(kind) ? availability(feature, kind) : "off";
    return is === "on"
      ? text !== "false"
      : is === "operator" && (text === undefined ? byDefault : text === "true");
  };

  return {
    kind,
    hasSearch: isOn("search", true),
    hasAssistant: isOn("assistant", false),
    hasAnalytics: isOn("analytics", false),
    hasPlayground: isOn("playground", false),
  };
}

/**
 * Reads the hosts that outbound requests may connect to. `more` has additional entries in the same format.
 * Adds messages to `problems` for invalid entries.
 */
export function readAllowed(env: NodeJS.ProcessEnv, problems: string[], more = ""): AllowedHosts {
  const { hosts, problems: found } = parseAllowedHosts(`${env[allowSetting] ?? ""} ${more}`);
  problems.push(...found);
  return hosts;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** Reads the log level. Adds a message to `problems` if the level is invalid. */
export function readLogLevel(env: NodeJS.ProcessEnv, problems: string[]): string {
  const level = env.OCTAVO_LOG_LEVEL || "info";
  if (!logLevels.includes(level)) problems.push(`OCTAVO_LOG_LEVEL must be one of ${logLevels.join(", ")}`);
  return level;
}

/**
 * Reads the proxies whose `X-Forwarded-For` is used, as IP addresses and CIDR ranges. Adds a message to
 * `problems` if an entry is invalid.
 */
export function readTrustedProxies(env: NodeJS.ProcessEnv, problems: string[]): string[] {
  const listed = (env.OCTAVO_TRUSTED_PROXIES ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter(Boolean);
  if (!listed.every(isNetwork))
    problems.push(
      "OCTAVO_TRUSTED_PROXIES must be a comma-separated list of IP addresses and CIDR ranges, such as 10.0.0.0/8",
    );
  return listed;
}

function readMail(env: NodeJS.ProcessEnv, problems: string[]): MailSettings | undefined {
  const [url, from] = [env.OCTAVO_SMTP_URL, env.OCTAVO_MAIL_FROM];
  if (!url && !from) return undefined;
  const parsed = parseUrl(url ?? "");
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === "")
    problems.push("OCTAVO_SMTP_URL must be an SMTP URL, such as smtps://user:password@smtp.example.com");
  if (!from || !/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from))
    problems.push("OCTAVO_MAIL_FROM must be an email address, such as Octavo <docs@example.com>");
  return { url: url ?? "", from: from ?? "" };
}

function readModel(env: NodeJS.ProcessEnv, problems: string[]): ModelSettings | undefined {
  const [baseUrl, name] = [env.OCTAVO_MODEL_BASE_URL, env.OCTAVO_MODEL_NAME];
  const provider = env.OCTAVO_MODEL_PROVIDER || (baseUrl ? "openai-compatible" : undefined);
  if (provider === undefined) return undefined;

  if (provider !== "openai-compatible" && provider !== "anthropic") {
    problems.push("OCTAVO_MODEL_PROVIDER must be openai-compatible or anthropic");
    return undefined;
  }

  const url = baseUrl || (provider === "anthropic" ? "https://api.anthropic.com/v1" : "");
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ""))
    problems.push("OCTAVO_MODEL_BASE_URL must be a URL, such as https://models.example.com/v1");
  if (!name) problems.push("OCTAVO_MODEL_NAME must be set to the name of the model");

  return {
    provider,
    baseUrl: url,
    name: name ?? "",
    ...(env.OCTAVO_MODEL_API_KEY ? { apiKey: env.OCTAVO_MODEL_API_KEY } : {}),
  };
}

function readEmbedding(
  env: NodeJS.ProcessEnv,
  problems: string[],
  timeout_s: number,
): EmbeddingSettings | undefined {
  const [folder, baseUrl, name] = [
    env.OCTAVO_EMBEDDING_FOLDER,
    env.OCTAVO_EMBEDDING_BASE_URL,
    env.OCTAVO_EMBEDDING_NAME,
  ];

  if (!folder && !baseUrl) {
    if (name) problems.push("OCTAVO_EMBEDDING_NAME requires OCTAVO_EMBEDDING_BASE_URL");
    return undefined;
  }

  const languages = new Set(
    (env.OCTAVO_EMBEDDING_LANGUAGES || "en")
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  );

  if (![...languages].every((language) => /^[a-z]{2,3}$/.test(language)))
    problems.push(
      "OCTAVO_EMBEDDING_LANGUAGES must be a comma-separated list of language codes without a region, such as en,de",
    );

  if (folder && baseUrl)
    problems.push("Set either OCTAVO_EMBEDDING_FOLDER or OCTAVO_EMBEDDING_BASE_URL, not both");

  if (folder) {
    const script = localEmbedderScript(folder);
    if (!existsSync(script))
      problems.push(
        `OCTAVO_EMBEDDING_FOLDER must be the folder of the package octavo-semantic, but there is no file at ${script}`,
      );
    return { folder, languages, timeout_s };
  }

  if (!/^https?:$/.test(parseUrl(baseUrl!)?.protocol ?? ""))
    problems.push("OCTAVO_EMBEDDING_BASE_URL must be a URL, such as http://127.0.0.1:11434/v1");
  if (!name) problems.push("OCTAVO_EMBEDDING_NAME must be set to the name of the embedding model");
  const apiKey = env.OCTAVO_EMBEDDING_API_KEY;
  return {
    endpoint: { baseUrl: baseUrl!, name: name ?? "", timeout_s, ...(apiKey ? { apiKey } : {}) },
    languages,
    timeout_s,
  };
}

function readProvider(env: NodeJS.ProcessEnv, problems: string[]): ProviderSettings | undefined {
  const issuer = env.OCTAVO_SSO_ISSUER || undefined;
  if (issuer === undefined) return undefined;
  const [clientId, clientSecret] = [env.OCTAVO_SSO_CLIENT_ID ?? "", env.OCTAVO_SSO_CLIENT_SECRET ?? ""];
  const url = parseUrl(issuer);
  const isLocal = url?.protocol === "http:" && isLoopback(url);
  if (url?.protocol !== "https:" && !isLocal) problems.push("OCTAVO_SSO_ISSUER must be an https URL");
  if (clientId === "" || clientSecret === "")
    problems.push("OCTAVO_SSO_ISSUER requires OCTAVO_SSO_CLIENT_ID and OCTAVO_SSO_CLIENT_SECRET");
  return { name: env.OCTAVO_SSO_NAME || "single sign-on", issuer, clientId, clientSecret };
}

function readSsoOnly(
  { OCTAVO_SSO_ONLY: text, OCTAVO_SSO_ISSUER: issuer }: NodeJS.ProcessEnv,
  problems: string[],
): boolean {
  if (text && text !== "true" && text !== "false") problems.push("OCTAVO_SSO_ONLY must be true or false");
  if (text === "true" && !issuer) problems.push("OCTAVO_SSO_ONLY requires OCTAVO_SSO_ISSUER");
  return text === "true";
}

function readDomainTargets(
  { OCTAVO_DOMAIN_TARGET: text = "" }: NodeJS.ProcessEnv,
  problems: string[],
): string[] {
  const targets = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const names = targets.filter((target) => !isIP(target));
  if (names.length > 1 || names.some((name) => !readHostName(name)?.includes(".")))
    problems.push(
      "OCTAVO_DOMAIN_TARGET must be a host name, IP addresses, or both, such as: sites.example.com 203.0.113.7",
    );
  return targets;
}

function isLoopback(url: URL): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
}

function readGit(text: string, problems: string[]): Configuration["git"] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const isProtocol = (word: string) => word === "ssh" || word === "http" || word === "file";
  if (words.some((word) => !isProtocol(word) && word !== "private"))
    problems.push("OCTAVO_GIT_ALLOW can only contain ssh, http, file, and private");
  return { protocols: words.filter(isProtocol), allowPrivate: words.includes("private") };
}

/** Returns the secret in the data folder. Creates it if there is none. */
function storedSecret(folder: string): string {
  privateFolder(folder, { isNamed: true });
  const file = path.join(folder, "secret");
  if (!existsSync(file))
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  const secret = readFileSync(file, "utf8").trim();
  if (isWeak(secret)) throw new ConfigurationError(weakSecret(file));
  return secret;
}

/** Writes the secret to the data folder, replacing the previous one. Returns the path of the file. */
export function writeSecret(folder: string, secret: string): string {
  const file = path.join(folder, "secret");
  writeFileSync(`${file}.new`, secret, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return file;
}

function isWeak(secret: string): boolean {
  return secret.length < secret_chars || new Set(secret).size < differentChars_count;
}

function weakSecret(name: string): string {
  return `${name} must be at least ${secret_chars} characters long, with at least ${differentChars_count} different characters. Generate it with: openssl rand -base64 32`;
}
