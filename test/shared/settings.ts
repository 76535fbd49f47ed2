/** Environment of the shared service: it trusts this machine as its proxy and fetches from private git servers. */
import { trusting } from "../service/test-sites.ts";

export const sharedEnvironment = { ...trusting, OCTAVO_GIT_ALLOW: "http private" };
