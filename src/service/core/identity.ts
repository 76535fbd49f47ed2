/** Types of dashboard users, their sessions and memberships, and the order of roles. */

import type { MemberRole, Plan } from "./tables.ts";

export interface User {
  id: string;
  email: string;
  name: string;
}

export interface Session {
  id: string;
  user: User;
  /**
   * When the user last authenticated, with a password, a passkey or at the sign-in provider; null if unknown.
   */
  authenticatedAt: Date | null;
  /** Whether the user can open the dashboard's operator pages. */
  isOperator: boolean;
  /**
   * The only organization that the session can open, because its password was set with a reset link from an
   * admin of this organization. Undefined if the session isn't limited.
   */
  limitedTo: string | undefined;
  /** The sign-in method that started the session (`methodKey`). Null for sessions of earlier versions. */
  method: string | null;
  /** IDs of the organizations in which the user proved this method after joining. */
  provedIn: readonly string[];
  /** Sorted by the organization's name. */
  memberships: readonly Membership[];
}

export interface Membership {
  organizationId: string;
  organizationName: string;
  plan: Plan;
  role: MemberRole;
  /** Whether the organization requires sign-in methods that members proved after joining. */
  requiresProof: boolean;
  /** Hash of the organization's logo. Null if there is no logo. */
  logoHash: string | null;
}

const ranks: Record<MemberRole, number> = { viewer: 0, editor: 1, admin: 2 };

/** Whether `role` includes the permissions of `required`. */
export function mayActAs(role: MemberRole, required: MemberRole): boolean {
  return ranks[role] >= ranks[required];
}
