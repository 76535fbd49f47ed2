/**
 * Starts a cluster with one node: containerd, kubelet and kube-proxy, next to a control plane, in a network
 * namespace of their own.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";
import { type ControlPlane, run, startControlPlane } from "./control-plane.ts";
import { sandboxImage } from "./images.js";
import { nodePrograms, programs } from "./programs.js";

/** IP address of the node. */
export const nodeIp = "10.243.0.1";

export interface Cluster extends ControlPlane {
  /** Starts a program in the cluster's network, with its output as a pipe. */
  spawn(command: readonly string[]): ChildProcess;
  /** Makes the names of a namespace's Services known to pods. */
  publishNames(namespace: string): Promise<void>;
  /** Runs a command in the cluster's network. Resolves with its output. */
  run(command: readonly string[]): Promise<string>;
}

/**
 * Starts the cluster with images and with volumes for claims. `archives`: images in the format of `docker
 * save`.
 */
export async function startCluster(archives: readonly string[], volumes: number): Promise<Cluster> {
  const namespace = `octavo-${process.pid}`;
  const ip = (...args: string[]) =>
    execFileSync("ip", args, { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
  ip("netns", "add", namespace);
  // `ip netns exec` would hide /sys/fs/cgroup, which kubelet needs.
  const prefix = ["nsenter", `--net=/run/netns/${namespace}`];
  const inside = (...args: string[]) =>
    execFileSync(prefix[0]!, [...prefix.slice(1), ...args], { stdio: "ignore" });
  try {
    inside("ip", "link", "set", "lo", "up");
    inside("ip", "link", "add", "n0", "type", "bridge");
    inside("ip", "addr", "add", `${nodeIp}/24`, "dev", "n0");
    inside("ip", "link", "set", "n0", "up");
    // kube-apiserver looks for the IP address of the default route.
    inside("ip", "route", "add", "default", "dev", "n0");
    inside("sysctl", "-qw", "net.ipv4.ip_forward=1");
    const controlPlane = await startControlPlane(prefix);
    const names: Record<string, string> = {};
    const namesFile = path.join(controlPlane.folder, "names.json");
    writeFileSync(namesFile, "{}");
    controlPlane.start("dns-server", process.execPath, [
      path.resolve("test/cluster/dns-server.js"),
      namesFile,
      nodeIp,
    ]);
    const cluster: Cluster = {
      ...controlPlane,
      spawn: (command) => spawn(prefix[0]!, [...prefix.slice(1), ...command]),
      async publishNames(namespace) {
        const { items } = await controlPlane.get("services", "--namespace", namespace);
        for (const { metadata, spec } of items)
          names[`${metadata.name}.${namespace}.svc.cluster.local`] = spec.clusterIP;
        writeFileSync(namesFile, JSON.stringify(names));
      },
      async run(command) {
        const { status, stdout, stderr } = await run([...prefix, ...command], process.env);
        if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
        return stdout;
      },
      async stop() {
        await removePods(controlPlane);
        await controlPlane.stop();
        ip("netns", "del", namespace);
      },
    };
    await startNode(cluster, archives, volumes);
    return cluster;
  } catch (error) {
    ip("netns", "del", namespace);
    throw error;
  }
}

async function startNode(cluster: Cluster, archives: readonly string[], volumes: number): Promise<void> {
  const folder = path.join(cluster.folder, "node");
  for (const name of ["cni", "kubelet", "volumes"]) mkdirSync(path.join(folder, name), { recursive: true });
  const socket = path.join(folder, "containerd.sock");
  const env = { PATH: `${nodePrograms()}:${process.env.PATH}:/usr/sbin:/sbin` };
  writeFileSync(path.join(folder, "cni/10-bridge.conflist"), JSON.stringify(podNetwork(folder)));
  writeFileSync(path.join(folder, "containerd.toml"), containerdConfiguration(folder, socket));
  writeFileSync(path.join(folder, "kubelet.yaml"), dump(kubeletConfiguration(folder, socket)));
  writeFileSync(path.join(folder, "proxy.yaml"), dump(proxyConfiguration(cluster.kubeconfig)));
  cluster.start("containerd", programs.containerd, ["--config", path.join(folder, "containerd.toml")], env);
  await poll("containerd", async () => existsSync(socket));
  for (const archive of archives)
    await cluster.run([
      programs.ctr,
      "--address",
      socket,
      "--namespace",
      "k8s.io",
      "images",
      "import",
      archive,
    ]);
  const kubelet = [
    "--config",
    path.join(folder, "kubelet.yaml"),
    "--kubeconfig",
    cluster.kubeconfig,
    "--root-dir",
    path.join(folder, "kubelet"),
  ];
  cluster.start(
    "kubelet",
    programs.kubelet,
    [...kubelet, "--cert-dir", folder, "--hostname-override", "node1", "--node-ip", nodeIp],
    env,
  );
  cluster.start("kube-proxy", programs.proxy, ["--config", path.join(folder, "proxy.yaml")], env);
  await poll("the node", async () => {
    const { items } = await cluster.get("nodes");
    const conditions = items[0]?.status.conditions as { type: string; status: string }[] | undefined;
    return conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  });
  for (let index = 0; index < volumes; index++) {
    const local = path.join(folder, "volumes", String(index));
    mkdirSync(local);
    await cluster.kubectl(["create", "--filename", "-"], dump(persistentVolume(`volume-${index}`, local)));
  }
}

async function poll(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 300) throw new Error(`Timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Deletes all pods, and then what is left of them: their shims, which outlive containerd, and their mounts.
 */
async function removePods({ kubectl, folder }: ControlPlane): Promise<void> {
  await kubectl(["delete", "statefulset,deployment", "--all", "--all-namespaces", "--timeout=60s"]).catch(
    () => {},
  );
  await kubectl(["delete", "pods", "--all", "--all-namespaces", "--grace-period=2", "--timeout=60s"]).catch(
    () => {},
  );
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const command = readCommand(pid);
    if (command.includes("containerd-shim-runc-v2") && command.includes(folder))
      process.kill(Number(pid), "SIGTERM");
  }
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((mount) => mount.startsWith(folder));
  for (const mount of mounts.sort().reverse()) execFileSync("umount", ["--lazy", mount]);
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const podNetwork = (folder: string) => ({
  cniVersion: "1.0.0",
  name: "pods",
  plugins: [
    {
      type: "bridge",
      bridge: "pods0",
      isGateway: true,
      ipMasq: true,
      hairpinMode: true,
      ipam: {
        type: "host-local",
        dataDir: path.join(folder, "ipam"),
        ranges: [[{ subnet: "10.244.0.0/24" }]],
        routes: [{ dst: "0.0.0.0/0" }],
      },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
});

const containerdConfiguration = (folder: string, socket: string) => `version = 3
root = "${folder}/containerd/root"
state = "${folder}/containerd/state"
[grpc]
  address = "${socket}"
[ttrpc]
  address = "${socket}.ttrpc"
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "${sandboxImage}"
[plugins."io.containerd.cri.v1.runtime"]
  # Without CAP_SYS_RESOURCE, the score can't be lowered.
  restrict_oom_score_adj = true
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "${folder}/cni"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      SystemdCgroup = false
`;

const kubeletConfiguration = (folder: string, socket: string) => ({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  address: nodeIp,
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: "AlwaysAllow" },
  cgroupDriver: "cgroupfs",
  cgroupRoot: "/",
  failCgroupV1: false,
  failSwapOn: false,
  oomScoreAdj: 0,
  containerRuntimeEndpoint: `unix://${socket}`,
  makeIPTablesUtilChains: false,
  resolvConf: "",
  clusterDNS: [nodeIp],
  clusterDomain: "cluster.local",
  podLogsDir: path.join(folder, "pod-logs"),
  evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
  imageGCHighThresholdPercent: 100,
  enforceNodeAllocatable: ["pods"],
});

const proxyConfiguration = (kubeconfig: string) => ({
  apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
  kind: "KubeProxyConfiguration",
  mode: "iptables",
  hostnameOverride: "node1",
  bindAddress: "127.0.0.1",
  clusterCIDR: "10.244.0.0/24",
  clientConnection: { kubeconfig },
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
});

const persistentVolume = (name: string, local: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name },
  spec: {
    capacity: { storage: "5Gi" },
    accessModes: ["ReadWriteOnce"],
    local: { path: local },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node1"] }] },
        ],
      },
    },
  },
});
