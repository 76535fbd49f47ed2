import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { invitationPath, invite } from "./invitations.ts";

export const invitationHandlers: Handlers<Pick<typeof contract, "createInvitation">> = {
  async createInvitation({ service, params, body }) {
    const { id, token } = await invite(service, params.organizationId, body);
    return { id, url: service.settings.url + invitationPath(token) };
  },
};
