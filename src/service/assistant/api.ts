import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { readerInGroups } from "./reader-in-groups.ts";
import type { SiteDocs } from "./site-docs.ts";

export const assistantHandlers = (docs: SiteDocs): Handlers<Pick<typeof contract, "askAssistant">> => ({
  askAssistant({ scope, site, body }) {
    const reader = readerInGroups(scope, body.filter?.groups);
    return docs.ask(site, { reader, caller: "api", asker: docs.visitors.groupsHash(reader) }, body);
  },
});
