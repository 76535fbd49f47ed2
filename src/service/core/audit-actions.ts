/**
 * Lists the actions that the audit log records, with their labels. Other actions don't compile. An action of
 * the API and of the dashboard has one name, the operation ID.
 */

/** Actions that change data, and downloads of exports. */
const changeActions = {
  acceptInvitation: "Join the organization",
  addDomain: "Add a domain",
  addOperator: "Make a user an operator",
  addOperatorDomain: "Assign a domain to a project",
  addPasskey: "Add a passkey",
  bundleStaticExport: "Download an export",
  cancelDeployment: "Cancel a deployment",
  cancelOwnStaticExport: "Cancel an export",
  cancelStaticExport: "Cancel an export",
  changeEmailNotifications: "Change email notifications",
  changeFeedbackStatus: "Change the status of feedback",
  changeName: "Change own name",
  changeLogo: "Change the logo",
  changeOrganization: "Update the organization",
  changeOrganizationSignIn: "Change the sign-in requirement",
  changePassword: "Change own password",
  changePlan: "Change the plan",
  changeProject: "Update a project",
  changeRole: "Change a member's role",
  changeUnanswered: "Update unanswered questions",
  changeWebhook: "Update a webhook",
  checkDomain: "Check a domain",
  checkNewRepository: "Check a repository",
  checkRepository: "Check a repository",
  completeStaticExport: "Complete an export",
  confirm: "Confirm identity",
  confirmNewMethods: "Confirm new sign-in methods",
  connectProvider: "Start connecting single sign-on",
  createDeployment: "Deploy an archive",
  createInvitation: "Invite a member",
  createKey: "Create an API key",
  createOrganization: "Create the organization",
  createOwnProject: "Create a project",
  createProject: "Create a project",
  createRecoveryCodes: "Create recovery codes",
  createResetLink: "Create a password reset link",
  createWebhook: "Create a webhook",
  deleteConversation: "Delete a message",
  deleteOrganization: "Delete the organization",
  deleteProject: "Delete a project",
  deleteWebhook: "Delete a webhook",
  deployment: "Build a deployment",
  endOtherSessions: "Sign out all other sessions",
  endSession: "Sign out a session",
  endSignIn: "Sign out a session",
  enterSignInCode: "Enter a two-factor code",
  failStaticExport: "Export failed",
  forgotPassword: "Request a password reset",
  importConversations: "Import conversations",
  promoteDeployment: "Make a preview live",
  proveSession: "Confirm a sign-in method",
  providerConnected: "Connect single sign-on",
  purgeDeployment: "Delete a deployment",
  pushRepository: "Push to the repository",
  redeploy: "Redeploy",
  removeDomain: "Remove a domain",
  removeLogo: "Remove the logo",
  removeMember: "Remove a member",
  removeOperator: "Remove an operator",
  removeNewMethod: "Remove a new sign-in method",
  removePasskey: "Remove a passkey",
  resendInvitation: "Create a new invitation link",
  resendWebhookDelivery: "Resend a webhook delivery",
  resetPassword: "Reset own password",
  revokeKey: "Revoke an API key",
  rollBackDeployment: "Make a deployment live",
  rotateWebhookSecret: "Replace a webhook secret",
  sendTestEvent: "Send a test event",
  signIn: "Sign in",
  signInWithPasskey: "Sign in with a passkey",
  signOut: "Sign out",
  startStaticExport: "Create an export",
  triggerPreview: "Create a preview",
  triggerUpdate: "Deploy",
  turnOffTwoFactor: "Turn off two-factor authentication",
  turnOffTwoFactorOfMember: "Turn off a member's two-factor authentication",
  turnOnTwoFactor: "Turn on two-factor authentication",
  verifyDomain: "Verify a domain",
  withdrawInvitation: "Revoke an invitation",
};

/** Actions that only view conversations or analytics. */
const viewActions = {
  getCallerStats: "View question counts",
  getThread: "View a conversation",
  listChanges: "View changes",
  listConversations: "View conversations",
  listFeedback: "View feedback",
  listFeedbackByPage: "View feedback",
  listSearches: "View searches",
  listUnanswered: "View unanswered questions",
  listViews: "View page views",
  listVisitors: "View visitors",
};

/** Names that earlier versions of the dashboard recorded. Entries of the audit log are never changed. */
const formerNames = {
  changeAssistant: "changeProject",
  changeBuilds: "changeProject",
  changeOrganizationSettings: "changeOrganization",
  changeProjectName: "changeProject",
  changeQuestionGroup: "changeUnanswered",
  changeReaders: "changeProject",
  changeSource: "changeProject",
  deleteTurn: "deleteConversation",
  deploy: "triggerUpdate",
  deployPreview: "triggerPreview",
  disableWebhook: "changeWebhook",
  downloadStaticExport: "bundleStaticExport",
  enableWebhook: "changeWebhook",
  invite: "createInvitation",
  purge: "purgeDeployment",
  rollBack: "rollBackDeployment",
  showConversation: "getThread",
  showConversations: "listConversations",
  showQuestionGroup: "listUnanswered",
  showQuestions: "listUnanswered",
  uploadDeployment: "createDeployment",
} satisfies Record<string, AuditAction>;

export type ChangeAction = keyof typeof changeActions;
export type ViewAction = keyof typeof viewActions;
export type AuditAction = ChangeAction | ViewAction;

/** Names of the actions that only view data, including former ones. */
export const viewActionNames = [
  ...Object.keys(viewActions),
  ...Object.entries(formerNames).flatMap(([former, name]) => (name in viewActions ? [former] : [])),
];

const labels: Readonly<Record<string, string>> = { ...changeActions, ...viewActions };
const currentNames: Readonly<Record<string, string>> = formerNames;

/**
 * Returns the label of an action, such as "Change role". An entry of a previous version can have an action
 * that no longer exists.
 */
export function actionLabel(action: string): string {
  return labels[currentNames[action] ?? action] ?? action;
}
