import { expect, test } from "vitest";
import { errorResponse } from "./error-response.ts";

test.each(["ENOSPC", "EDQUOT", "53100"])("a full disk (%s) is reported with a retry time", (code) => {
  const { status, headers, body } = errorResponse(
    Object.assign(new Error("no space left on device"), { code }),
  );
  expect({ status, headers }).toEqual({ status: 503, headers: { "retry-after": "60" } });
  expect(body.error).toMatch(/^The service is out of disk space/);
});
