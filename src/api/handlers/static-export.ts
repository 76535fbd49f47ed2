import { notFound } from "../../platform/refusal.ts";
import type { Handlers } from "../call.ts";

const absent = async () => {
  throw notFound();
};

export const exportHandlers: Handlers<"startExport" | "getExport" | "bundleExport" | "cancelExport"> = {
  startExport: absent,
  getExport: absent,
  bundleExport: absent,
  cancelExport: absent,
};
