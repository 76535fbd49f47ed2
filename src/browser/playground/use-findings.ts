/** Hook that finds differences between the API document and the request or response. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { checkRequest } from "../../engine/openapi/check/check-contract.ts";
import type { Finding } from "../../engine/openapi/check/check-value.ts";
import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import type { RequestInputs } from "../../engine/openapi/request/request-model.ts";
import type { Exchange } from "./exchange.ts";
import { PatternTests } from "./match-patterns.ts";
import { responseFindings } from "./response-findings.ts";

interface FindingsOptions {
  operation: Operation;
  inputs: RequestInputs;
  exchange: Exchange | undefined;
  refs: Refs;
  /** Changes when more of the document has been loaded. */
  version: number;
}

/**
 * Returns the findings of the request and the response. `response` is undefined while there is no response to
 * check.
 */
export function useFindings({ operation, inputs, exchange, refs, version }: FindingsOptions): {
  request: Finding[];
  response: Finding[] | undefined;
} {
  const [patterns] = useState(() => new PatternTests());

  // Patterns are tested in a worker. The number changes when results arrive.
  const [tested, setTested] = useState(0);
  useEffect(() => {
    void patterns.settle().then((hasResults) => hasResults && setTested((before) => before + 1));
  });
  const { test: testPattern } = patterns;
  return {
    request: useMemo(() => checkRequest(operation, inputs, refs, { testPattern }), [inputs, version, tested]),
    response: useMemo(
      () => responseFindings(operation, exchange, refs, { testPattern }),
      [exchange?.state, version, tested],
    ),
  };
}
