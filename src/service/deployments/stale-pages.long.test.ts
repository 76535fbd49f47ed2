/** No request is answered with the page of another deployment, while a site switches between deployments. */

import { expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { newSite } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const switches = Number(process.env.OCTAVO_SWITCHES ?? 100);

test(`${switches} switches, each with 40 requests before and after it`, { timeout: 600_000 }, async () => {
  const service = await openTestService();
  try {
    const { organization, host } = await newSite(service);
    const words = ["alder", "birch"];
    const ids: string[] = [];
    for (const word of words) ids.push((await deploy(organization, docs(`The word is ${word}.`))).id);

    const wrong: string[] = [];
    for (let round = 0; round < switches; round++) {
      const at = round % 2;
      await organization.client(endpoints.rollBack, { params: { id: ids[at]! } });
      const pages = await Promise.all(
        Array.from({ length: 40 }, (_, index) => visit(service, host, index % 2 ? "/" : "/index.md")),
      );
      for (const { status, text } of pages)
        if (status !== 200 || !text.includes(words[at]!)) wrong.push(`${round}: ${status}`);
    }

    expect(wrong).toEqual([]);
  } finally {
    await service.stop();
  }
});
