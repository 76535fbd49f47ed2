/**
 * Starts a Kubernetes control plane on this machine: etcd, the API server, the controllers and the scheduler.
 * There are no nodes.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump } from "js-yaml";
import { programs, resourceFolders } from "./programs.js";

export interface Result {
  status: number;
  stdout: string;
  stderr: string;
}

export type HelmVersion = "helm3" | "helm4";

/** What clients need to know of a control plane. */
export interface Connection {
  folder: string;
  kubeconfig: string;
}

export interface Client extends Connection {
  /** Runs kubectl with an optional manifest on stdin. Resolves with its output, and rejects if it fails. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Resolves with an object or a list. */
  // biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes are untyped in tests.
  get(...args: string[]): Promise<any>;
  /** Runs Helm with values. */
  helm(version: HelmVersion, args: readonly string[], values?: object): Promise<Result>;
  /** Creates a namespace that allows only restricted pods. */
  createNamespace(name: string): Promise<void>;
}

export interface ControlPlane extends Client {
  /** Starts another program, which is stopped with the cluster. */
  start(name: string, program: string, args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts the programs, and resolves when the API server and the controllers work. `prefix`: a command that
 * runs all programs, such as one that enters a network namespace.
 */
export async function startControlPlane(prefix: readonly string[] = []): Promise<ControlPlane> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-cluster-"));
  for (const name of ["etcd", "certificates", "logs"]) mkdirSync(path.join(folder, name));
  const [client, peer, api, controllers, scheduler] = (await Promise.all(
    Array.from({ length: 5 }, freePort),
  )) as [number, number, number, number, number];
  const kubeconfig = path.join(folder, "admin.conf");
  writeKeys(folder, kubeconfig, api);
  const children: ChildProcess[] = [];
  const start = (name: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const log = openSync(path.join(folder, "logs", name), "a");
    const [command, ...rest] = [...prefix, program, ...args] as [string, ...string[]];
    const child = spawn(command, rest, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", log, log],
    });
    children.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of children.toReversed()) await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const local = (port: number) => `http://127.0.0.1:${port}`;
  const etcd = ["--data-dir", path.join(folder, "etcd"), "--unsafe-no-fsync", "--log-level", "error"];
  const clients = ["--listen-client-urls", local(client), "--advertise-client-urls", local(client)];
  const peers = [
    "--listen-peer-urls",
    local(peer),
    "--initial-advertise-peer-urls",
    local(peer),
    "--initial-cluster",
    `default=${local(peer)}`,
  ];
  start("etcd", programs.etcd, [...etcd, ...clients, ...peers]);
  start("kube-apiserver", programs.apiServer, apiServerOptions(folder, client, api));
  const cluster: ControlPlane = { ...connect({ folder, kubeconfig }, prefix), start, stop };
  try {
    await until(children, folder, () => succeeds(cluster.kubectl(["get", "--raw", "/readyz"])));
    const files = [
      "--kubeconfig",
      kubeconfig,
      "--authentication-kubeconfig",
      kubeconfig,
      "--authorization-kubeconfig",
      kubeconfig,
    ];
    const common = [
      ...files,
      "--leader-elect=false",
      "--bind-address",
      "127.0.0.1",
      "--cert-dir",
      path.join(folder, "certificates"),
    ];
    start("kube-controller-manager", programs.controllers, [
      ...common,
      ...[
        "--secure-port",
        String(controllers),
        "--service-account-private-key-file",
        path.join(folder, "certificates/sa.key"),
      ],
      ...[
        "--root-ca-file",
        path.join(folder, "certificates/apiserver.crt"),
        "--horizontal-pod-autoscaler-sync-period",
        "1s",
      ],
    ]);
    start("kube-scheduler", programs.scheduler, [...common, "--secure-port", String(scheduler)]);
    for (const resources of resourceFolders)
      await cluster.kubectl(["apply", "--server-side", "--filename", resources]);
    const account = ["get", "serviceaccount", "default", "--namespace", "default"];
    await until(children, folder, () => succeeds(cluster.kubectl(account)));
  } catch (error) {
    await stop();
    throw error;
  }
  return cluster;
}

function writeKeys(folder: string, kubeconfig: string, port: number): void {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  writeFileSync(
    path.join(folder, "certificates/sa.key"),
    privateKey.export({ type: "pkcs1", format: "pem" }),
    { mode: 0o600 },
  );
  writeFileSync(path.join(folder, "certificates/sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
  const token = "local-admin";
  writeFileSync(path.join(folder, "certificates/tokens.csv"), `${token},admin,admin,system:masters\n`);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "local", cluster: { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "local", context: { cluster: "local", user: "admin" } }],
    "current-context": "local",
  };
  writeFileSync(kubeconfig, dump(config), { mode: 0o600 });
}

function apiServerOptions(folder: string, etcd: number, port: number): string[] {
  const file = (name: string) => path.join(folder, "certificates", name);
  return [
    ...[
      "--etcd-servers",
      `http://127.0.0.1:${etcd}`,
      "--bind-address",
      "127.0.0.1",
      "--secure-port",
      String(port),
    ],
    ...[
      "--endpoint-reconciler-type",
      "none",
      "--cert-dir",
      path.join(folder, "certificates"),
      "--token-auth-file",
      file("tokens.csv"),
    ],
    ...["--authorization-mode", "Node,RBAC", "--service-account-issuer", "https://kubernetes.default.svc"],
    ...["--service-account-key-file", file("sa.pub"), "--service-account-signing-key-file", file("sa.key")],
    ...[
      "--service-cluster-ip-range",
      "10.96.0.0/16",
      "--allow-privileged",
      "--enable-admission-plugins",
      "NodeRestriction",
    ],
    ...["--kubelet-preferred-address-types", "InternalIP"],
  ];
}

/** A client of a control plane. */
export function connect({ folder, kubeconfig }: Connection, prefix: readonly string[] = []): Client {
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    ...Object.fromEntries(
      ["CACHE", "CONFIG", "DATA"].map((name) => [`HELM_${name}_HOME`, path.join(folder, "helm")]),
    ),
  };
  const kubectl = async (args: readonly string[], input?: string) => {
    const { status, stdout, stderr } = await run([...prefix, programs.kubectl, ...args], env, input);
    if (status !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  return {
    folder,
    kubeconfig,
    kubectl,
    get: async (...args) => JSON.parse(await kubectl(["get", ...args, "--output", "json"])),
    helm: (version, args, values) =>
      values
        ? run([...prefix, programs[version], ...args, "--values", "-"], env, JSON.stringify(values))
        : run([...prefix, programs[version], ...args], env),
    async createNamespace(name) {
      const labels = {
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/warn": "restricted",
      };
      await kubectl(
        ["create", "--filename", "-"],
        dump({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }),
      );
    },
  };
}

/** Runs a command. Resolves with its output. */
export function run(command: readonly string[], env: NodeJS.ProcessEnv, input = ""): Promise<Result> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = command as [string, ...string[]];
    const child = spawn(program, args, { env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ status: code ?? 1, stdout, stderr }));
    child.stdin.end(input);
  });
}

const succeeds = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false,
  );

/**
 * Waits until a condition is met. Throws an Error with the logs if a program has ended or the time is over.
 */
async function until(
  children: readonly ChildProcess[],
  folder: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 600 || children.some(({ exitCode }) => exitCode !== null)) {
      const logs = path.join(folder, "logs");
      const ends = readdirSync(logs).map(
        (name) => `${name}:\n${readFileSync(path.join(logs, name), "utf8").slice(-2_000)}`,
      );
      throw new Error(`The control plane didn't start.\n${ends.join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
