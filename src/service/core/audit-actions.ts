/** Lists the actions that the audit log records, with their labels. Other actions don't compile. */

/** Actions that change data, and downloads of exports. */
const changeActions = {
  acceptInvitation: "Join the organization",
  addDomain: "Add a domain",
  addOperator: "Make a user an operator",
  addOperatorDomain: "Assign a domain to a project",
  addPasskey: "Add a passkey",
  bundleStaticExport: "Create a download link for an export",
  cancelDeployment: "Cancel a deployment",
  cancelOwnStaticExport: "Cancel an export",
  cancelStaticExport: "Cancel an export",
  changeAssistant: "Change assistant settings",
  changeBuilds: "Change build settings",
  changeEmailNotifications: "Change email notifications",
  changeFeedbackStatus: "Change the status of feedback",
  changeName: "Change own name",
  changeLogo: "Change the logo",
  changeOrganization: "Update the organization",
  changeOrganizationSettings: "Change organization settings",
  changePassword: "Change own password",
  changePlan: "Change the plan",
  changeProject: "Update a project",
  changeProjectName: "Rename a project",
  changeQuestionGroup: "Update unanswered questions",
  changeReaders: "Change reader access",
  changeRole: "Change a member's role",
  changeSource: "Change a project's source",
  changeUnanswered: "Update unanswered questions",
  changeWebhook: "Update a webhook",
  checkDomain: "Check a domain",
  checkNewRepository: "Check a repository",
  checkRepository: "Check a repository",
  completeStaticExport: "Complete an export",
  confirm: "Confirm identity",
  connectProvider: "Start connecting single sign-on",
  createDeployment: "Deploy an archive",
  createInvitation: "Invite a member",
  createKey: "Create an API key",
  createOrganization: "Create the organization",
  createProject: "Create a project",
  createRecoveryCodes: "Create recovery codes",
  createResetLink: "Create a password reset link",
  createWebhook: "Create a webhook",
  deleteConversation: "Delete a message",
  deleteOrganization: "Delete the organization",
  deleteProject: "Delete a project",
  deleteTurn: "Delete a message",
  deleteWebhook: "Delete a webhook",
  deploy: "Deploy",
  deployPreview: "Create a preview",
  deployment: "Build a deployment",
  disableWebhook: "Disable a webhook",
  downloadStaticExport: "Download an export",
  enableWebhook: "Enable a webhook",
  endOtherSessions: "Sign out all other sessions",
  endSession: "Sign out a session",
  endSignIn: "Sign out a session",
  enterSignInCode: "Enter a two-factor code",
  failStaticExport: "Export failed",
  forgotPassword: "Request a password reset",
  importConversations: "Import conversations",
  invite: "Invite a member",
  promoteDeployment: "Make a preview live",
  providerConnected: "Connect single sign-on",
  purge: "Delete a deployment",
  purgeDeployment: "Delete a deployment",
  redeploy: "Redeploy",
  removeDomain: "Remove a domain",
  removeLogo: "Remove the logo",
  removeMember: "Remove a member",
  removeOperator: "Remove an operator",
  removePasskey: "Remove a passkey",
  resendInvitation: "Create a new invitation link",
  resendWebhookDelivery: "Resend a webhook delivery",
  resetPassword: "Reset own password",
  revokeKey: "Revoke an API key",
  rollBack: "Make a deployment live",
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
  uploadDeployment: "Deploy an archive",
  verifyDomain: "Verify a domain",
  withdrawInvitation: "Revoke an invitation",
};

/** Actions that only view conversations or analytics. */
const viewActions = {
  getCallerStats: "View question counts",
  getThread: "View a conversation",
  listConversations: "View conversations",
  listFeedback: "View feedback",
  listFeedbackByPage: "View feedback",
  listSearches: "View searches",
  listUnanswered: "View unanswered questions",
  listViews: "View page views",
  listVisitors: "View visitors",
  showConversation: "View a conversation",
  showConversations: "View conversations",
  showQuestionGroup: "View unanswered questions",
  showQuestions: "View unanswered questions",
};

export type ChangeAction = keyof typeof changeActions;
export type ViewAction = keyof typeof viewActions;
export type AuditAction = ChangeAction | ViewAction;

export const viewActionNames = Object.keys(viewActions) as ViewAction[];

const labels: Readonly<Partial<Record<string, string>>> = { ...changeActions, ...viewActions };

/**
 * Returns the label of an action, such as "Change role". An entry of a previous version can have an action
 * that no longer exists.
 */
export function actionLabel(action: string): string {
  return labels[action] ?? action;
}
