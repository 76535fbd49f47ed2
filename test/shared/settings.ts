/** Environment of the shared service: it trusts local proxies and allows private git servers. */

import { trusting } from "../service/test-sites.ts";

export const sharedEnvironment = { ...trusting, OCTAVO_GIT_ALLOW: "http private" };
