/** Labels of actions whose name isn't clear enough. Other names are split into words: `changeRole` becomes "Change role". */
const labels: Readonly<Record<string, string>> = {
  acceptInvitation: "Join the organization",
  addPasskey: "Add a passkey",
  bundleExport: "Create a download link for an export",
  changeLogo: "Change the logo",
  changeEmailNotifications: "Change email notifications",
  changeOrganizationSettings: "Change organization settings",
  confirm: "Confirm identity",
  deleteConversation: "Delete a message",
  deleteTurn: "Delete a message",
  deployment: "Build a deployment",
  downloadStaticExport: "Download an export",
  endOtherSessions: "Sign out all other sessions",
  endSession: "Sign out a session",
  endSignIn: "Sign out a session",
  enterSignInCode: "Enter a two-factor code",
  getThread: "View a conversation",
  invite: "Invite a member",
  listConversations: "View conversations",
  preview: "Create a preview",
  promoteDeployment: "Make a preview live",
  createWebhook: "Create a webhook",
  changeWebhook: "Change a webhook",
  deleteWebhook: "Delete a webhook",
  disableWebhook: "Disable a webhook",
  enableWebhook: "Enable a webhook",
  providerConnected: "Connect single sign-on",
  purge: "Delete a deployment",
  showConversation: "View a conversation",
  showConversations: "View conversations",
  showQuestionGroup: "View unanswered questions",
  showQuestions: "View unanswered questions",
  signInWithPasskey: "Sign in with a passkey",
  removeLogo: "Remove the logo",
  resendWebhookDelivery: "Resend a webhook delivery",
  sendTestEvent: "Send a test event",
  startExport: "Create an export",
  startStaticExport: "Create an export",
  turnOffTwoFactor: "Turn off two-factor authentication",
  turnOffTwoFactorOfMember: "Turn off a member's two-factor authentication",
  turnOnTwoFactor: "Turn on two-factor authentication",
  update: "Deploy",
  withdrawInvitation: "Revoke an invitation",
};

/** Names of recorded reads. */
export const viewActions: readonly string[] = [
  "getThread",
  "listConversations",
  "listUnanswered",
  "showConversation",
  "showConversations",
  "showQuestionGroup",
  "showQuestions",
];

export function actionLabel(action: string): string {
  const label = labels[action] ?? action.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ");
  return label[0]!.toUpperCase() + label.slice(1);
}
