/**
 * Defines the format of a backup: an archive with the rows of most tables, from one database snapshot, and
 * all stored objects.
 */

/**
 * Tables in a backup. A table comes after the tables that it references. Other tables are left out, such as
 * jobs and notification deliveries. Sessions are left out because a session that ended after the backup must
 * not work again. Visitors' salts and hashes are left out because they must be deleted after their day.
 * Triggers restore the counts of conversations.
 */
export const backupTables = [
  "data_keys",
  "organizations",
  "organization_logos",
  "users",
  "user_identities",
  "totp_factors",
  "recovery_codes",
  "passkeys",
  "memberships",
  "proved_methods",
  "invitations",
  "projects",
  "domains",
  "webhook_deliveries",
  "pull_requests",
  "git_repositories",
  "api_keys",
  "audit_log",
  "deployments",
  "stored_files",
  "static_export_jobs",
  "idempotency_keys",
  "conversations",
  "question_groups",
  "message_feedback",
  "page_traffic",
  "site_traffic",
  "referrers",
  "feedback",
  "search_days",
  "search_queries",
  "search_clicks",
  "change_feeds",
  "change_events",
  "change_marks",
  "model_usage",
  "model_usage_days",
  "webhooks",
  "notification_events",
  "notification_choices",
] as const;

/**
 * Content of `backup.json`, the first file in a backup. `migrations`: names of the applied database
 * migrations. A service that doesn't know one of them is too old to restore the backup.
 */
export interface BackupDescription {
  formatVersion: 1;
  migrations: string[];
}

/** Number of rows and objects that were written or restored. */
export interface BackupCounts {
  rows: number;
  objects: number;
}

/** Thrown if a backup can't be restored. The message is for the operator. */
export class BackupError extends Error {}
