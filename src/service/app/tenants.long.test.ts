/** Tenant isolation, tested with the full matrix of routes, credentials and ids. */

import { expect, test } from "vitest";
import { requestAll, tenantMatrix } from "../../../test/service/tenant-matrix.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";

test("every request with credentials or ids without access is refused and changes nothing", {
  timeout: 900_000,
}, async () => {
  const databaseUrl = await createDatabase();
  const service = await startService({ databaseUrl, env: trusting });
  try {
    const { cells, canaries, state } = await tenantMatrix(service, databaseUrl);
    expect(cells.length).toBeGreaterThan(10_000);
    const before = await state();
    expect(await requestAll(service, cells, canaries)).toEqual([]);
    expect(await state()).toEqual(before);
    console.log(
      `${cells.length} cells, ${cells.filter(({ isControl }) => isControl).length} of them controls`,
    );
  } finally {
    await service.stop();
  }
});
