/** Selects the environment variables of build processes. */

import { allowSetting } from "../io/allowed-hosts.ts";

/**
 * Selects the variables that a build process needs: `PATH` (to find git), additional CA certificates, and
 * allowed internal hosts.
 */
export function buildEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ["PATH", "NODE_EXTRA_CA_CERTS", allowSetting];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
