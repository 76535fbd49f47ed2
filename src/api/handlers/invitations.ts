import { invitationPath, invite } from "../../platform/accounts/invitations.ts";
import type { Handlers } from "../call.ts";

export const invitationHandlers: Handlers<"createInvitation"> = {
  async createInvitation({ service, params, body }) {
    const { id, token } = await invite(service, params.organizationId, body);
    return { id, url: service.settings.url + invitationPath(token) };
  },
};
