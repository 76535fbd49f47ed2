/** Messages after an action. The URL contains only the name, so that a link can't put other text on a page. */
const notices = {
  "signed-out": "You are signed out.",
  "password-changed": "Your password is changed. You are signed out everywhere else.",
  "provider-connected": "Connected. You can sign in with single sign-on now.",
  "name-changed": "Your name is changed.",
  "session-ended": "The session is ended.",
  "sessions-ended": "You are signed out everywhere else.",
  joined: "Welcome. You are a member now.",
  "invitation-withdrawn": "The invitation is withdrawn: its link leads nowhere any more.",
  "role-changed": "The role is changed.",
  "member-removed": "The member is removed, and the keys that they made are revoked.",
  "settings-saved": "The settings are saved.",
  "settings-saved-rebuild": "The settings are saved. The site is being built with them.",
  "key-revoked": "The key is revoked: nothing that uses it works any more.",
  // The pages of deployments show their state themselves.
  "deployment-started": undefined,
  "deployment-canceled": undefined,
  "rolled-back": "This deployment is live again.",
  "preview-started": undefined,
  "deployment-purged": "Deleted. It can no longer be viewed.",
  "export-started": "The export is queued.",
  "export-cancelled": "The export is cancelled: it ends as failed.",
  "domain-added": "The domain is added. It serves the site once it is verified.",
  "domain-verified": "The domain is verified, and serves the site.",
  "domain-removed": "The domain is removed.",
  "project-created": "Project created.",
  "webhook-secret-replaced": "Secret replaced. Enter the new one at your git host.",
  "project-deleted": "The project is deleted.",
  "conversation-deleted": "The turn is deleted.",
  "feedback-changed": "The status is changed.",
} as const;

export type NoticeName = keyof typeof notices;

export function noticeText(name: string | null): string | undefined {
  return name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : undefined;
}
