import type { Handlers } from "../http/call.ts";
import { invitationPath, invite } from "./invitations.ts";

export const invitationHandlers: Handlers<"createInvitation"> = {
  async createInvitation({ service, params, body }) {
    const { id, token } = await invite(service, params.organizationId, body);
    return { id, url: service.settings.url + invitationPath(token) };
  },
};
