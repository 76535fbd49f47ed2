/** Names of members' roles, and the form field that selects one. */

import type { MemberRole } from "../../core/tables.ts";
import { Radios } from "./form.tsx";

export const roleNames: Record<MemberRole, string> = { viewer: "Viewer", editor: "Editor", admin: "Admin" };

const hints: Record<MemberRole, string> = {
  viewer: "Can view projects, analytics, and members",
  editor: "Can also deploy, export, and create assistant keys",
  admin: "Can also manage members and settings",
};

/** `value`: the selected role. */
export function RoleField({ value }: { value: string }) {
  const options = (Object.keys(roleNames) as MemberRole[]).map((role) => ({
    value: role,
    label: roleNames[role],
    hint: hints[role],
  }));
  return <Radios name="role" label="Role" options={options} value={value} />;
}
