/**
 * Tenant isolation, tested with a sample of the matrix of routes, credentials and ids. `tenants.long.test.ts`
 * tests the full matrix.
 */

import { expect, test } from "vitest";
import { requestAll, tenantMatrix } from "../../../test/service/tenant-matrix.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

test("every thirtieth request with credentials or ids without access is refused and changes nothing", async () => {
  const databaseUrl = await createDatabase();
  const service = await openTestService({ databaseUrl, env: trusting });
  const { cells, canaries, state } = await tenantMatrix(service, databaseUrl);
  const sample = cells.filter(({ isControl }, index) => isControl || index % 30 === 0);
  const before = await state();
  expect(await requestAll(service, sample, canaries)).toEqual([]);
  expect(await state()).toEqual(before);
  await service.stop();
});
