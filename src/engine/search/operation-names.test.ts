/** A query that is the path or the operationId of an operation finds the operation first. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildSiteFrom } from "../../../test/engine/build.ts";
import { openIndex } from "../../../test/engine/open-index.ts";
import { corpusOf, inCorpus } from "../../../test/shared/corpus.ts";

const long = ["queues", "queues/{queue_id}"].map(
  (end) => `/v1/organizations/{organization_id}/projects/{project_id}/environments/{environment_id}/${end}`,
);

/** Operations whose paths and texts repeat the words of the others. */
const repeated = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Builds", version: "1" },
  paths: Object.fromEntries(
    [
      "/v1/builds/{id}/logs",
      "/v1/builds/{id}/parts",
      "/v1/builds",
      "/v1/builds/{id}",
      "/v1/build",
      ...long,
    ].map((at, index) => [
      at,
      Object.fromEntries(
        ["get", "delete"].map((method) => [
          method,
          {
            operationId: `${method}Build_${index}`,
            summary: `Part ${index} for ${method}`,
            description: index === 3 ? undefined : "The builds of v1. Each build has an id and builds logs.",
            tags: ["Builds"],
            responses: { 200: { description: "Builds of v1 by id" } },
          },
        ]),
      ),
    ]),
  ),
});

const documents: [name: string, text: () => string][] = [
  ["repeated.json", () => repeated],
  ...["moby-2.0.yaml"]
    .map((file) => path.join(corpusOf.openapiMore, file))
    .filter(inCorpus)
    .map((file): [string, () => string] => [path.basename(file), () => readFileSync(file, "utf8")]),
];

test.each(documents)("in %s", async (name, text) => {
  const site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { tabs: [{ tab: "API", openapi: name }] },
    }),
    [name]: text(),
  });
  const index = await openIndex(site);
  const first = async (query: string) => (await index.search({ text: query, limit: 1 })).hits[0]?.route;
  const pages = site.paths.filter((at) => /^api-reference\/.*\.md$/.test(at));
  const operations = pages.flatMap((at) => {
    const [, method, written] = /```http\n(\S+) (.*)\n```/.exec(site.read(at)) ?? [];
    const id = /^operationId: `(.*)`$/m.exec(site.read(at))?.[1];
    return written === undefined ? [] : [{ route: at.replace(/\.md$/, ""), method, written, id }];
  });
  const wrong: string[] = [];
  for (const { route, method, written, id } of operations) {
    for (const query of [`${method} ${written}`, id!]) {
      const found = await first(query);
      if (found !== route) wrong.push(`${query}: ${found}`);
    }
    const found = await first(written);
    if (!operations.some((one) => one.route === found && one.written === written))
      wrong.push(`${written}: ${found}`);
  }

  expect(operations.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});
