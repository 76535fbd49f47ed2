import { expect, test } from "vitest";
import type { Draft } from "./draft.ts";
import { storedDraft } from "./history.ts";

test("the history keeps parameters, but no credentials and no secret parameters", () => {
  const parameters = {
    "path.id": "7",
    "query.limit": "10",
    "query.keyword": "plant",
    "query.api_key": "secret",
    "header.Accept-Language": "en",
    "header.Authorization": "secret",
    "header.X-Api-Key": "secret",
    "cookie.theme": "secret",
  };
  const draft = {
    server: 0,
    variables: {},
    parameters,
    bodies: {},
    choices: {},
    credentials: { bearer: "secret" },
  } as unknown as Draft;
  const stored = storedDraft(draft);
  expect(stored.parameters).toEqual({
    "path.id": "7",
    "query.limit": "10",
    "query.keyword": "plant",
    "header.Accept-Language": "en",
  });
  expect(JSON.stringify(stored)).not.toContain("secret");
});
