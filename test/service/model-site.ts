/** A site whose assistant uses a fake language model, for the tests of one `describe` block. */

import { afterAll, beforeAll, expect } from "vitest";
import { openTestService } from "../shared/service.ts";
import { type Answered, ask, bodyOf } from "./ask-assistant.ts";
import { answered, type ModelServer, startModelServer } from "./model-server.ts";
import { newReader, newSite, rowOf, type TestSite, trusting } from "./test-sites.ts";

/** Secrets of the model that must not appear in answers, stored rows or pages. */
export const modelSecrets = {
  OCTAVO_MODEL_API_KEY: "model-key-7c1f",
  OCTAVO_SECRET: "service-secret-91ab-as-long-as-needed",
  CANARY_SECRET: "canary-5b1e",
};

export function modelSite(provider: "openai-compatible" | "anthropic") {
  let model: ModelServer;
  let site: TestSite;
  beforeAll(async () => {
    model = await startModelServer();
    const env = {
      OCTAVO_MODEL_PROVIDER: provider,
      OCTAVO_MODEL_BASE_URL: model.url,
      OCTAVO_MODEL_NAME: "test-model",
      OCTAVO_MODEL_TIMEOUT_S: "2",
    };
    site = await newSite(await openTestService({ env: { ...trusting, ...modelSecrets, ...env } }));
  });
  afterAll(async () => {
    await site.service.stop();
    await model.stop();
  });

  const asReader = (text = "How do I install Acme?", more: object = {}) =>
    ask({ ...site, headers: newReader(), body: bodyOf(text, more) });
  return {
    get model() {
      return model;
    },
    get site() {
      return site;
    },
    asReader,
    async askOf(behaviour: Parameters<ModelServer["behave"]>[0], text?: string, more?: object) {
      model.behave(behaviour);
      const answer = await asReader(text, more);
      model.behave(answered);
      return answer;
    },
    /** Returns the stored row after checking that it equals the streamed answer. */
    async expectRow(answer: Answered) {
      const row = await rowOf(site, answer.turnId);
      expect(row).toMatchObject({
        response: answer.text,
        sources: answer.sources,
        resolutionStatus: answer.resolutionStatus,
        responseType: answer.responseType,
      });
      expect(answer.isDone).toBe(true);
      expect(answer.events.filter(({ type }) => type === "finish")).toHaveLength(1);
      return row;
    },
  };
}
