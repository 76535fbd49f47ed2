import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import type * as contract from "./contract.ts";
import { invitationPath, invite } from "./invitations.ts";

export const invitationHandlers: Handlers<Pick<typeof contract, "createInvitation">> = {
  createInvitation: (call) =>
    once(call, {
      operationId: "createInvitation",
      organizationId: call.params.organizationId,
      async run(service) {
        const { id, token } = await invite(service, call.params.organizationId, call.body);
        return { id, url: service.settings.url + invitationPath(token) };
      },
    }),
};
