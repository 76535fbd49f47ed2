// The programs of the cluster tests: Helm, a Kubernetes control plane, and a node's kubelet and containerd.
// They're built once from the Go module proxy, into a cache outside the checkout.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export const versions = {
  kubernetes: "1.36.3",
  helm3: "3.22.0",
  helm4: "4.3.1",
  containerd: "2.2.9",
  gateway: "1.6.3",
  monitoring: "0.85.0",
};

export const cache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"),
  "octavo",
  "cluster",
);
const folder = (name) => path.join(cache, `${name}-${versions[name]}`);
const kubernetes = folder("kubernetes");
const containerdFolder = folder("containerd");

/** Executables by name. */
export const programs = {
  helm3: path.join(folder("helm3"), "helm"),
  helm4: path.join(folder("helm4"), "helm"),
  etcd: path.join(kubernetes, "server"),
  apiServer: path.join(kubernetes, "kube-apiserver"),
  controllers: path.join(kubernetes, "kube-controller-manager"),
  scheduler: path.join(kubernetes, "kube-scheduler"),
  kubectl: path.join(kubernetes, "kubectl"),
  kubelet: path.join(kubernetes, "kubelet"),
  proxy: path.join(kubernetes, "kube-proxy"),
  containerd: path.join(containerdFolder, "containerd"),
  shim: path.join(containerdFolder, "containerd-shim-runc-v2"),
  ctr: path.join(containerdFolder, "ctr"),
};

/** Folders with the definitions of other projects' resources. */
export const resourceFolders = [folder("gateway"), folder("monitoring")];

const { kubelet, proxy, containerd, shim, ctr, ...controlPlane } = programs;

/** Whether everything that the tests of the control plane need is built. */
export const hasControlPlane = () =>
  [...Object.values(controlPlane), ...resourceFolders].every((file) => existsSync(file));

/** Whether the programs of the node are built, too. */
export const hasNode = () =>
  hasControlPlane() && [kubelet, proxy, containerd, shim, ctr].every((file) => existsSync(file));

/** Debian packages that the tests with a node need, and an executable of each. */
const packages = {
  podman: "podman",
  runc: "runc",
  debootstrap: "debootstrap",
  iproute2: "ip",
  iptables: "iptables",
  "containernetworking-plugins": "/usr/lib/cni/bridge",
  gcc: "gcc",
};

const isInstalled = (name) =>
  spawnSync("sh", ["-c", `PATH=$PATH:/usr/sbin:/sbin; command -v ${name}`]).status === 0;

/** Returns the reason why the programs can't be built here. Undefined if they can. */
export function missingForBuild() {
  return isInstalled("go") ? undefined : "Go isn't installed";
}

/** Returns the reason why a node can't be started here. Undefined if it can. */
export function missingForNode() {
  if (process.getuid?.() !== 0) return "a node can be started only by root";
  const missing = Object.keys(packages).filter((name) => !isInstalled(packages[name]));
  return missing.length === 0 ? undefined : `these Debian packages aren't installed: ${missing.join(" ")}`;
}

/** Builds both versions of Helm, unless they're in the cache. */
export function buildHelm() {
  const minor = versions.kubernetes.split(".")[1];
  // Without these variables, Helm 3 assumes Kubernetes 1.20, which the chart doesn't support.
  const kubernetesOfHelm = ["chartutil", "lint/rules"].map(
    (name) =>
      `-X helm.sh/helm/v3/pkg/${name}.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/${name}.k8sVersionMinor=${minor}`,
  );
  build("helm3", ["helm"], (out) =>
    install(out, `helm.sh/helm/v3/cmd/helm@v${versions.helm3}`, [
      "-ldflags",
      `-s -w ${kubernetesOfHelm.join(" ")}`,
    ]),
  );
  build("helm4", ["helm"], (out) =>
    install(out, `helm.sh/helm/v4/cmd/helm@v${versions.helm4}`, ["-ldflags", "-s -w"]),
  );
}

/** Builds the programs that are missing. */
export function buildPrograms() {
  buildHelm();
  copyResources("gateway", "sigs.k8s.io/gateway-api", "config/crd/standard", /_httproutes/);
  copyResources(
    "monitoring",
    "github.com/prometheus-operator/prometheus-operator",
    "example/prometheus-operator-crd",
    /monitors|rules/,
  );
  const parts = [
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubectl",
    "kubelet",
    "kube-proxy",
  ];
  build("kubernetes", ["server", ...parts], (out) => buildKubernetes(out, parts));
  build("containerd", ["containerd", "containerd-shim-runc-v2", "ctr"], (out) => {
    for (const name of ["containerd", "containerd-shim-runc-v2", "ctr"])
      install(out, `github.com/containerd/containerd/v2/cmd/${name}@v${versions.containerd}`, [
        "-tags",
        "no_btrfs no_zfs no_devmapper",
      ]);
  });
}

/** Calls `make` with an empty folder, which becomes the folder of a part when it's complete. */
function build(name, files, make) {
  const target = folder(name);
  if (files.every((file) => existsSync(path.join(target, file)))) return;
  console.error(`Building ${name} ${versions[name]}…`);
  const start = Date.now();
  const out = `${target}.incomplete`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  make(out);
  rmSync(target, { recursive: true, force: true });
  renameSync(out, target);
  console.error(`  ${Math.round((Date.now() - start) / 1_000)} s`);
}

function go(args, env = {}, cwd = cache) {
  return execFileSync("go", args, {
    cwd,
    env: { ...process.env, CGO_ENABLED: "0", ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
}

const install = (out, module, args) => go(["install", ...args, module], { GOBIN: out, GOFLAGS: "" });
const download = (module) => JSON.parse(go(["mod", "download", "-json", module])).Dir;

/** Copies the definitions of resources from a module. */
function copyResources(name, module, source, wanted) {
  build(name, ["."], (out) => {
    const from = path.join(download(`${module}@v${versions[name]}`), source);
    for (const file of readdirSync(from).filter((file) => wanted.test(file)))
      copyFileSync(path.join(from, file), path.join(out, file));
  });
}

/**
 * Builds the parts of Kubernetes. `go install` refuses k8s.io/kubernetes, because its go.mod replaces its
 * libraries with folders of its repository. The same go.mod with the published libraries works.
 */
function buildKubernetes(out, parts) {
  const version = `v${versions.kubernetes}`;
  const library = version.replace(/^v1/, "v0");
  const source = download(`k8s.io/kubernetes@${version}`);
  const original = readFileSync(path.join(source, "go.mod"), "utf8");
  const libraries = [...original.matchAll(/^\s*(?:replace\s+)?(k8s\.io\/\S+)(?: \S+)? => \.\/staging/gm)].map(
    ([, name]) => name,
  );
  const module = path.join(out, "module");
  mkdirSync(module);
  const requirements = original
    .replace(/^module .*/m, "module control-plane")
    .replaceAll(/^replace \([^)]*\)/gm, "")
    .replaceAll(/^replace .*$/gm, "")
    .replaceAll(/^\s*(k8s\.io\/\S+) v0\.0\.0(?![-\w])/gm, `\t$1 ${library}`);
  const replaced = [...new Set(libraries)].sort().map((name) => `\t${name} => ${name} ${library}`);
  writeFileSync(
    path.join(module, "go.mod"),
    [requirements, `require k8s.io/kubernetes ${version}`, "replace (", ...replaced, ")", ""].join("\n"),
  );
  writeFileSync(path.join(module, "go.sum"), readFileSync(path.join(source, "go.sum")));
  writeFileSync(path.join(module, "tools.go"), "package tools\n");
  // Without these variables, the server reports v0.0.0-master, and Helm rejects the chart's kubeVersion.
  const flags = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].map(
    (name) =>
      `-X ${name}.gitVersion=${version} -X ${name}.gitMajor=1 -X ${name}.gitMinor=${version.split(".")[1]} -X ${name}.gitTreeState=clean`,
  );
  for (const name of ["go.etcd.io/etcd/server/v3", ...parts.map((part) => `k8s.io/kubernetes/cmd/${part}`)])
    go(
      ["build", "-ldflags", `-s -w ${flags.join(" ")}`, "-o", `${out}/`, name],
      { GOFLAGS: "-mod=mod" },
      module,
    );
  rmSync(module, { recursive: true });
}

/**
 * Links runc, which containerd starts, and returns the folder that contains it with the other programs of the
 * node.
 */
export function nodePrograms() {
  const runc = path.join(containerdFolder, "runc");
  if (!existsSync(runc))
    symlinkSync(
      execFileSync("sh", ["-c", "PATH=$PATH:/usr/sbin; command -v runc"], { encoding: "utf8" }).trim(),
      runc,
    );
  return containerdFolder;
}

/** Size of the cache in megabytes. */
export function cacheSize() {
  const sizeOf = (entry) =>
    statSync(entry).isDirectory()
      ? readdirSync(entry).reduce((sum, name) => sum + sizeOf(path.join(entry, name)), 0)
      : statSync(entry).size;
  return Math.round(sizeOf(cache) / 1_048_576);
}
