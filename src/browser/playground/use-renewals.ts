import { useRef, useState } from "preact/hooks";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import { credentialKey, type Draft } from "./draft.ts";
import type { FormContextValue } from "./form-context.ts";

interface Renewals {
  renewals: FormContextValue["renewals"];
  isRenewing: boolean;
  /** Returns the draft with new tokens in place of those that have ended. */
  renewed(draft: Draft, operation: Operation, origin: string | undefined): Promise<Draft>;
}

/** Hook that refreshes OAuth tokens before a request is sent. */
export function useRenewals(): Renewals {
  const { current: renewals } = useRef<FormContextValue["renewals"]>(new Map());
  const [isRenewing, setRenewing] = useState(false);

  const renewed = async (draft: Draft, operation: Operation, origin = "") => {
    if (renewals.size === 0) return draft;
    const credentials = { ...draft.credentials };
    setRenewing(true);
    for (const scheme of operation.security[draft.alternative]?.schemes ?? []) {
      const key = credentialKey(origin, scheme);
      credentials[key] = { ...credentials[key], ...(await renewals.get(scheme.key)?.()) };
    }
    setRenewing(false);
    return { ...draft, credentials };
  };

  return { renewals, isRenewing, renewed };
}
