/** Selects the environment variables of a build process: `PATH` (to find git), additional CA certificates, and internal hosts that requests may go to. */

import { allowSetting } from "../io/allowed-hosts.ts";

export function buildEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ["PATH", "NODE_EXTRA_CA_CERTS", allowSetting];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
