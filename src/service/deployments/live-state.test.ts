/** The state that is shown for a deployment. */

import { expect, test } from "vitest";
import type { LiveState } from "./contract.ts";
import { liveState } from "./live-state.ts";

type Row = Parameters<typeof liveState>[0];
const row: Row = {
  id: "1",
  live_deployment_id: "2",
  status: "success",
  purged_at: null,
  canceled_at: null,
  outcome: null,
  error_count: 0,
};

test.each<[LiveState, Partial<Row>]>([
  ["deleted", { purged_at: new Date(), live_deployment_id: "1" }],
  ["failed", { status: "failure", live_deployment_id: "1" }],
  ["canceled", { status: "failure", canceled_at: new Date() }],
  ["queued", { status: "queued" }],
  ["building", { status: "in_progress" }],
  ["live", { live_deployment_id: "1", outcome: "live" }],
  ["live-with-errors", { live_deployment_id: "1", outcome: "live", error_count: 1 }],
  ["ready", { outcome: "preview" }],
  ["ready-with-errors", { outcome: "preview", error_count: 1 }],
  ["superseded", { outcome: "superseded", error_count: 1 }],
  ["replaced", { outcome: null }],
  ["replaced", { outcome: "live" }],
  ["held", { outcome: "held" }],
])("%s: %j", (state, change) => {
  expect(liveState({ ...row, ...change })).toBe(state);
});
