/** Tenant isolation, tested with a sample of the matrix of routes, credentials and ids. `tenants.long.test.ts` tests the full matrix. */

import { expect, inject, test } from "vitest";
import { requestAll, tenantMatrix } from "../../../test/service/tenant-matrix.ts";
import { sharedService } from "../../../test/shared/service.ts";

test("every tenth request with credentials or ids without access is refused and changes nothing", async () => {
  const service = sharedService();
  const { cells, canaries, state } = await tenantMatrix(service, inject("service").databaseUrl);
  const sample = cells.filter(({ isControl }, index) => isControl || index % 10 === 0);
  const before = await state();
  expect(await requestAll(service, sample, canaries)).toEqual([]);
  expect(await state()).toEqual(before);
});
