import { expect, test } from "vitest";
import { errorResponse } from "./problem-response.ts";

test.each(["ENOSPC", "EDQUOT", "53100"])("a full disk (%s) is told as such, and may be tried again later", (code) => {
  const { status, headers, body } = errorResponse(Object.assign(new Error("no space left on device"), { code }));
  expect({ status, headers }).toEqual({ status: 503, headers: { "retry-after": "60" } });
  expect(body.error).toMatch(/^The service is out of disk space/);
});
