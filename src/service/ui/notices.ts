/**
 * Defines the messages that are shown after an action. The URL only contains the name of a message, so that a
 * link can't show other text on a page.
 */

const notices = {
  "signed-out": "Signed out.",
  "password-changed": "Password changed. You've been signed out on all other devices.",
  "password-reset": "Password changed. Sign in with your new password.",
  "two-factor-off": "Two-factor authentication is off.",
  "passkey-added": "Passkey added. You can now sign in with it.",
  "passkey-removed": "Passkey removed.",
  "method-removed": "Sign-in method removed. You've been signed out on all other devices.",
  "methods-confirmed": "Sign-in methods confirmed.",
  "provider-connected": "Single sign-on connected. You can now use it to sign in.",
  "name-changed": "Name changed.",
  "session-ended": "Session signed out.",
  "sessions-ended": "All other sessions signed out.",
  "organization-ready": "Welcome! Your organization is ready.",
  joined: "Welcome! You've joined the organization.",
  "joined-unconfirmed": "You've joined the organization. To open it, confirm your account.",
  "invitation-withdrawn": "Invitation revoked.",
  "role-changed": "Role changed.",
  "member-removed": "Member removed. API keys that they created were revoked.",
  "settings-saved": "Settings saved.",
  "settings-saved-rebuild": "Settings saved. The site is being rebuilt.",
  "key-revoked": "Key revoked.",
  // The pages of deployments show their state themselves.
  "deployment-started": undefined,
  "deployment-canceled": undefined,
  "rolled-back": "Rolled back. The selected deployment is live.",
  "deployment-published": "Published. The deployment is live.",
  "preview-started": undefined,
  "deployment-purged": "Deployment deleted. It can no longer be viewed.",
  // The pages of exports show their state themselves.
  "export-started": undefined,
  "export-cancelled": undefined,
  "plan-changed": "Plan changed.",
  "sign-in-ended": "Session ended.",
  "domain-added": "Domain added. Verify it to start serving your site.",
  "domain-verified": "Domain verified. It serves your site as soon as its DNS records point to the service.",
  "domain-check": "Checking the domain.",
  "domain-removed": "Domain removed.",
  "project-created": "Project created.",
  "webhook-secret-replaced": "Secret replaced. Enter the new secret in your Git host's webhook settings.",
  "project-deleted": "Project deleted.",
  "conversation-deleted": "Question and answer deleted.",
  "question-group-changed": "Questions updated.",
  "logo-changed": "Logo changed.",
  "logo-removed": "Logo removed.",
  "webhook-saved": "Webhook saved.",
  "webhook-enabled": "Webhook enabled.",
  "webhook-disabled": "Webhook disabled.",
  "webhook-deleted": "Webhook deleted.",
  // The list of deliveries shows its state itself.
  "delivery-queued": undefined,
  "emails-changed": "Email notifications saved.",
  "feedback-changed": "Status changed.",
} as const;

export type NoticeName = keyof typeof notices;

export function noticeText(name: string | null): string | undefined {
  return name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : undefined;
}
