import type { Handlers } from "../http/call.ts";
import { readerInGroups } from "./reader-in-groups.ts";

export const assistantHandlers: Handlers<"askAssistant"> = {
  askAssistant({ docs, scope, site, body }) {
    const reader = readerInGroups(scope, body.filter?.groups);
    return docs.ask(site, { reader, caller: "api", asker: docs.visitors.askerInGroups(reader) }, body);
  },
};
