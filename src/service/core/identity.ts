/** Who is signed in to the dashboard, and the roles of members. */
import type { Plan, Role } from "./tables.ts";

export interface User {
  id: string;
  email: string;
  name: string;
}

export interface Session {
  id: string;
  user: User;
  /** When the user last entered a password or came from the provider; null if unknown. */
  authenticatedAt: Date | null;
}

export interface Membership {
  organizationId: string;
  organizationName: string;
  plan: Plan;
  role: Role;
}

const ranks: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

/** Whether a role may do what another one may. */
export function mayActAs(role: Role, wanted: Role): boolean {
  return ranks[role] >= ranks[wanted];
}
