/** Starts one control plane for all test files that need one. */

import type { TestProject } from "vitest/node";
import { type Connection, startControlPlane } from "./control-plane.ts";

declare module "vitest" {
  interface ProvidedContext {
    controlPlane: Connection;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { folder, kubeconfig, stop } = await startControlPlane();
  provide("controlPlane", { folder, kubeconfig });
  return stop;
}
