import { notFound } from "../../platform/refusal.ts";
import type { Handlers } from "../call.ts";

const absent = async () => {
  throw notFound();
};

export const deploymentHandlers: Handlers<
  "createDeployment" | "listDeployments" | "getDeployment" | "rollBack" | "purge" | "update" | "updateStatus" | "preview"
> = {
  createDeployment: absent,
  listDeployments: absent,
  getDeployment: absent,
  rollBack: absent,
  purge: absent,
  update: absent,
  updateStatus: absent,
  preview: absent,
};
