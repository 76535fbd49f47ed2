/** Types of the database tables that `io/migrations` creates. */

import type { ColumnType, Generated, Kysely, Selectable, Transaction } from "kysely";
import type { FeedbackReason } from "../../base/feedback-reasons.ts";
import type { Problem } from "../../base/problem.ts";
import type { SignInChoice } from "../../base/reader-sign-in.ts";
import type { CheckedAudience } from "../../engine/export/audience-report.ts";
import type { DeploymentKind } from "../../engine/site/features.ts";
import type { ModelSettings } from "../../io/language-model.ts";
import type { ContentEncoding } from "../../layout/site-manifest.ts";

type Json<T> = ColumnType<T, string, string>;
type Instant = ColumnType<Date, Date | string | undefined, Date | string>;
type MaybeInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export type Plan = "free" | "pro" | "enterprise";
export type KeyType = "admin" | "assistant";
/**
 * Role of a member. `viewer`: read. `editor`: also make changes, such as deployments, exports and assistant
 * keys. `admin`: everything.
 */
export type MemberRole = "viewer" | "editor" | "admin";
export type DeploymentStatus = "queued" | "in_progress" | "success" | "failure";
export type FeedbackSource = "code_snippet" | "contextual" | "agent" | "thumbs_only";
export type FeedbackStatus = "pending" | "in_progress" | "resolved" | "dismissed";
/** Body of a webhook's requests: the event as JSON, or a message for a Slack incoming webhook. */
export type WebhookFormat = "json" | "slack";
export type DeliveryStatus = "pending" | "delivered" | "failed";
export type ExportStatus = "queued" | "running" | "completed" | "failed";

/** Source of a project's deployments. */
export type ProjectSource =
  | { kind: "upload" }
  /** A folder on the service's machine. Only the operator can set this source. */
  | { kind: "folder"; folder: string }
  | { kind: "git"; url: string; branch: string; directory?: string };

/** Type of git server, which determines the formats of its webhooks and API. */
export type GitHost = "github" | "gitlab" | "gitea" | "bitbucket";

/** Access method and credentials for a project's repository, and the secret of its webhook. */
export interface RepositoryConnection {
  access: "public" | "token" | "ssh";
  webhookSecret: string;
  /** Access token for reading the repository, and for commit statuses and comments. */
  token?: string;
  /** Private part of the deploy key. */
  privateKey?: string;
  publicKey?: string;
  /** Host key of the SSH server, with its type. An admin has confirmed it. */
  hostKey?: string;
  /** Base URL of the git server's API. Default: derived from the repository's URL. */
  apiUrl?: string;
  /** Type of the git server that sent the latest webhook delivery. */
  host?: GitHost;
}

/** Result of the last check of a domain. */
export interface DomainCheck {
  /** Time of the check in ISO 8601. */
  at: string;
  /**
   * State of the TXT record that verifies the domain. `taken`: it was found, but another site has verified
   * the domain.
   */
  txt: "found" | "missing" | "different" | "taken";
  /**
   * Where the domain points to. `found`: names or IP addresses that it points to, if they aren't the expected
   * ones. `addresses`: the expected IP addresses.
   */
  host: { state: "found" | "missing" | "elsewhere" | "not-checked"; found: string[]; addresses: string[] };
  tls: { state: "valid" | "not-checked" } | { state: "invalid" | "unreachable"; reason: string };
}

/** Sources that a deployment was built from. */
export interface Snapshot {
  /** Object key of a tar.gz file with the documentation folder or, for some uploads, of a zip file. */
  archive: string;
  /** Downloaded OpenAPI documents by URL. */
  documents: Record<string, string>;
  /**
   * Kind of deployment that the site was built for. Absent before the build, and in old rows, whose sites
   * were built for `cloud`.
   */
  kind?: DeploymentKind;
  /** Path that the site was built for. Absent at the root of a host, and before the build. */
  basePath?: string;
}

export interface Commit {
  sha: string;
  ref: string;
  message: string;
  author: string | null;
  /** Whether a pull request's commit is in a fork, which can be a stranger's. Absent for other commits. */
  isFork?: boolean;
  /** Files that a push changed. Absent if the Git host doesn't list them. */
  filesChanged?: FilesChanged;
}

/** Paths in a repository. */
export interface FilesChanged {
  added: string[];
  modified: string[];
  removed: string[];
}

/** Another repository, over HTTPS, that each push to the project's own one is copied to. */
export interface ProjectMirror {
  url: string;
  /** Access token, or `user:password`. Absent if the repository needs none. */
  token?: string;
}

/** A pack file of a project's Git repository in the object store. */
export interface StoredPack {
  /** ULID, which is part of the object key. */
  id: string;
  /** Hash that git named the file after. */
  name: string;
  bytes: number;
  /** When another pack replaced this one. It's kept for a while, because a backup can be running. */
  replacedAt?: string;
}

/** Settings of a site's assistant. */
export interface AssistantSettings {
  isEnabled: boolean;
  /** The project's own model, used instead of the service's model. */
  model?: ModelSettings;
}

interface TrafficColumns {
  human_views: number;
  ai_views: number;
  human_visitors: number;
  ai_visitors: number;
}

/** How a successful deployment ended. */
export type DeploymentOutcome = "live" | "superseded" | "held" | "preview";

/** Type of a record in the change feed. A conversation is one message: a question and its answer. */
export type RecordType = "conversation" | "feedback" | "search";

export interface Tables {
  users: {
    id: string;
    email: string;
    name: string;
    password_hash: string | null;
    created_at: Instant;
    email_verified_at: MaybeInstant;
    invited_to: Generated<string | null>;
    failed_sign_ins: Generated<number>;
    is_operator: Generated<boolean>;
    password_set_in: Generated<string | null>;
    unconfirmed_since: MaybeInstant;
    password_set_at: MaybeInstant;
  };
  totp_factors: { user_id: string; secret: string; confirmed_at: MaybeInstant; last_step: Generated<number> };
  recovery_codes: { user_id: string; hash: Buffer; created_at: MaybeInstant };
  passkeys: {
    id: string;
    user_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: Instant;
    last_used_at: MaybeInstant;
  };
  one_time_tokens: {
    hash: Buffer;
    kind: "password-reset" | "second-factor";
    user_id: string;
    expires_at: ColumnType<Date, Date, never>;
    organization_id: ColumnType<string | null, string | undefined, never>;
    created_by: ColumnType<string | null, string | undefined, never>;
  };
  user_identities: {
    issuer: string;
    subject: string;
    user_id: string;
    is_confirmed: Generated<boolean | null>;
    created_at: MaybeInstant;
  };
  memberships: { organization_id: string; user_id: string; role: MemberRole; created_at: Instant };
  proved_methods: { organization_id: string; user_id: string; method: string; proved_at: Instant };
  invitations: {
    id: string;
    organization_id: string;
    email: string | null;
    role: MemberRole;
    token_hash: Buffer;
    invited_by: string | null;
    is_operator: Generated<boolean>;
    expires_at: Instant;
    created_at: Instant;
  };
  sessions: {
    id: string;
    user_id: string;
    token_hash: Buffer;
    address: string;
    user_agent: string;
    created_at: Instant;
    seen_at: Instant;
    issuer: Generated<string | null>;
    authenticated_at: MaybeInstant;
    limited_to: Generated<string | null>;
    methods_reviewed_at: MaybeInstant;
    method: Generated<string | null>;
  };
  organizations: {
    id: string;
    name: string;
    plan: Plan;
    created_at: Instant;
    stored_bytes: Generated<number | null>;
    default_role: Generated<MemberRole>;
    requires_proved_methods: Generated<boolean>;
  };
  organization_logos: { organization_id: string; type: string; bytes: Buffer; hash: string };
  projects: {
    id: string;
    organization_id: string;
    name: string;
    subdomain: string;
    source: Json<ProjectSource>;
    /** Sign-in setting of the site. Null if it is not configured yet. */
    sign_in: ColumnType<SignInChoice | null, string | null | undefined, string | null>;
    assistant: ColumnType<AssistantSettings | null, string | null | undefined, string | null>;
    publish_with_errors: Generated<boolean | null>;
    /** Connection to the repository. Null unless the source is a repository, or was one. */
    connection: ColumnType<RepositoryConnection | null, string | null | undefined, string | null>;
    next_poll_at: MaybeInstant;
    mirror: ColumnType<ProjectMirror | null, string | null | undefined, string | null>;
    live_deployment_id: string | null;
    live_after_number: Generated<number>;
    revision: Generated<number>;
    changed_at: Instant;
    created_at: Instant;
  };
  deleted_projects: { id: string; deleted_at: Instant };
  domains: {
    domain: string;
    organization_id: string;
    project_id: string;
    verification_token: string;
    verified_at: MaybeInstant;
    created_at: Instant;
    next_check_at: Instant;
    check_count: Generated<number>;
    check_result: ColumnType<DomainCheck | null, string | null | undefined, string | null>;
  };
  api_keys: {
    id: string;
    organization_id: string;
    project_id: string | null;
    type: KeyType;
    name: string;
    hash: Buffer;
    last_four: string;
    scopes: string[];
    allowed_ips: string[];
    expires_at: MaybeInstant;
    revoked_at: MaybeInstant;
    last_used_at: MaybeInstant;
    created_at: Instant;
    created_by: Generated<string | null>;
    groups: Generated<string[]>;
  };
  rate_windows: { subject: string; hits: Date[]; counts: number[]; ends_at: Date };
  audit_log: {
    organization_id: string;
    number: number;
    at: Instant;
    actor: string;
    action: string;
    target: string;
    outcome: string;
    request_id: string | null;
    address: string | null;
    metadata: Json<Record<string, unknown>>;
    hash: Buffer;
  };
  deployments: {
    id: string;
    organization_id: string;
    project_id: string;
    number: number;
    status: DeploymentStatus;
    attempt: Generated<number>;
    trigger: string;
    actor: Generated<string | null>;
    preview_branch: string | null;
    preview_host: string | null;
    snapshot: ColumnType<Snapshot | null, string | null | undefined, string | null>;
    commit: ColumnType<Commit | null, string | null | undefined, string | null>;
    summary: string | null;
    problems: ColumnType<Problem[], string | undefined, string>;
    logs: ColumnType<string[], string | undefined, string>;
    page_count: number | null;
    created_at: Instant;
    started_at: MaybeInstant;
    ended_at: MaybeInstant;
    purged_at: MaybeInstant;
    progress: Generated<number>;
    log_times: ColumnType<number[] | null, string | undefined, string>;
    canceled_at: MaybeInstant;
    status_error: Generated<string | null>;
    /** Set by a trigger. */
    has_errors: Generated<boolean>;
    held_errors: Generated<number | null>;
    error_count: Generated<number | null>;
    publish_with_errors: Generated<boolean | null>;
    /** Null unless the deployment succeeded. */
    outcome: Generated<DeploymentOutcome | null>;
    unlisted_count: Generated<number>;
    /** How a preview differs from the live site (`PreviewComparison`). Null for other deployments. */
    comparison: ColumnType<unknown, string | null | undefined, string | null>;
  };
  webhook_deliveries: {
    project_id: string;
    id: string;
    body_hash: Buffer | null;
    at: Instant;
    event: string;
    result: string;
  };
  pull_requests: { project_id: string; number: number; comment_id: string | null };
  git_repositories: {
    project_id: string;
    branch: string;
    refs: Json<Record<string, string>>;
    packs: Json<StoredPack[]>;
    version: number;
    pushed_at: Instant;
    /** Null if the mirror was never updated. */
    mirrored_version: Generated<number | null>;
    mirrored_at: MaybeInstant;
    mirror_error: Generated<string | null>;
  };
  stored_files: {
    hash: string;
    bytes: number;
    encodings: Json<Partial<Record<ContentEncoding, number>>>;
    used_at: Instant;
  };
  static_export_jobs: {
    id: string;
    organization_id: string;
    project_id: string;
    deployment_id: string;
    domain: string;
    version: string | null;
    paths: string[] | null;
    status: ExportStatus;
    attempt: Generated<number>;
    progress: Generated<number>;
    page_count: Generated<number>;
    total_pages: number | null;
    error: string | null;
    bundle_key: string | null;
    bundle_bytes: number | null;
    bundle_sha256: string | null;
    bundle_version: string | null;
    delta_key: string | null;
    delta_bytes: number | null;
    audience: ColumnType<{ groups?: string[] } | null, string | null, never>;
    audience_report: ColumnType<CheckedAudience | null, null | undefined, string | null>;
    created_at: Instant;
    updated_at: Instant;
    started_at: MaybeInstant;
    completed_at: MaybeInstant;
  };
  idempotency_keys: {
    organization_id: string;
    route: string;
    key: string;
    body_hash: Buffer;
    response: ColumnType<unknown, string, never>;
    created_at: Instant;
  };
  conversations: {
    project_id: string;
    id: string;
    thread_id: string;
    query: string;
    response: string;
    response_type: "answer" | "clarifying_question" | null;
    sources: Json<{ title: string; url: string }[]>;
    resolution_status: "answered" | "unanswered";
    query_category: string | null;
    page_url: string | null;
    is_finished: Generated<boolean>;
    attempt: Generated<number>;
    message_id: string | null;
    asker: Buffer | null;
    caller: Generated<"web" | "api" | "other">;
    theme: string | null;
    question_terms: Generated<string[] | null>;
    question_key: Generated<string | null>;
    handed_over_at: MaybeInstant;
  };
  /** Number of messages by day. Triggers of `conversations` update this table and `unanswered_days`. */
  conversation_days: {
    project_id: string;
    day: number;
    query_category: string;
    resolution_status: "answered" | "unanswered";
    caller: "web" | "api" | "other";
    count: number;
  };
  unanswered_days: { project_id: string; day: number; question_key: string; count: number };
  question_groups: {
    project_id: string;
    question_key: string;
    organization_id: string;
    status: "open" | "ignored" | "resolved";
    assignee_id: string | null;
    answer_path: string | null;
    decision_id: string;
  };
  message_feedback: {
    project_id: string;
    message_id: string;
    helpful: boolean;
    comment: string | null;
    at: Instant;
  };
  page_traffic: { project_id: string; span_days: number; first_day: number; path: string } & TrafficColumns;
  site_traffic: { project_id: string; day: number } & TrafficColumns;
  referrers: { project_id: string; day: number; host: string; views: number };
  visitor_salts: { day: number; salt: Buffer };
  visitor_marks: { day: number; project_id: string; path: string; visitor: Buffer };
  feedback: {
    project_id: string;
    id: string;
    path: string;
    source: FeedbackSource;
    status: Generated<FeedbackStatus>;
    helpful: boolean | null;
    reason: FeedbackReason | null;
    comment: string | null;
    contact: string | null;
    code: string | null;
    filename: string | null;
    lang: string | null;
  };
  search_days: { project_id: string; day: number; hits: number; without_results: number; clicks: number };
  search_queries: {
    project_id: string;
    span_days: number;
    first_day: number;
    query: string;
    hits: number;
    api_hits: number;
    without_results: number;
    clicks: number;
    last_at: MaybeInstant;
  };
  search_clicks: {
    project_id: string;
    query: string;
    span_days: number;
    first_day: number;
    path: string;
    clicks: number;
  };
  /** The last event of each project's change feed. */
  change_feeds: {
    project_id: string;
    sequence: Generated<number>;
    digest: Generated<Buffer>;
    restored_sequence: number | null;
  };
  change_events: {
    project_id: string;
    sequence: number;
    id: string;
    at: Date;
    kind: "created" | "changed" | "rated" | "resolved" | "deleted";
    record_type: RecordType;
    record_id: string;
    content_hash: Buffer | null;
    rating_hash: Buffer | null;
    is_resolved: boolean;
    digest: Buffer;
  };
  /** Records that were written and don't have an event for it yet. Triggers insert these rows. */
  change_marks: {
    project_id: string;
    id: Generated<string>;
    at: Generated<Date>;
    record_type: RecordType;
    record_id: string;
  };
  model_usage: { organization_id: string; month: ColumnType<Date, string, string>; tokens: number };
  data_keys: { id: string; wrapped: Buffer; created_at: Instant };
  model_usage_days: { project_id: string; day: ColumnType<Date, string, string>; tokens: number };
  jobs: {
    id: Generated<number>;
    name: string;
    payload: Json<unknown>;
    organization_id: string;
    priority: number;
    project_id: Generated<string>;
    project_priority: Generated<number>;
    run_at: Instant;
    attempt: Generated<number>;
    faults: Generated<number>;
    message: Generated<string>;
    is_disk_full: Generated<boolean>;
    leased_at: MaybeInstant;
  };
  webhooks: {
    id: string;
    organization_id: string;
    project_id: string | null;
    url: string;
    secret: string;
    format: WebhookFormat;
    events: string[];
    is_enabled: Generated<boolean>;
    failing_since: MaybeInstant;
    disabled_at: MaybeInstant;
    created_at: Instant;
  };
  notification_events: {
    id: string;
    organization_id: string;
    project_id: string | null;
    type: string;
    data: Json<Record<string, unknown>>;
    created_at: Instant;
    unique_key: string | null;
    send_at: MaybeInstant;
  };
  notification_deliveries: {
    id: string;
    organization_id: string;
    event_id: string;
    webhook_id: string | null;
    user_id: string | null;
    status: Generated<DeliveryStatus>;
    attempt: Generated<number>;
    next_attempt_at: MaybeInstant;
    last_attempt_at: MaybeInstant;
    response_status: number | null;
    error: string | null;
    duration_ms: number | null;
  };
  notification_choices: { organization_id: string; user_id: string; events: string[] };
}

export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * A project with its verified domains, in alphabetical order. A domain can have a path, such as
 * `example.com/docs`.
 */
export type ProjectRow = Pick<
  Selectable<Tables["projects"]>,
  | "id"
  | "name"
  | "subdomain"
  | "source"
  | "sign_in"
  | "assistant"
  | "connection"
  | "mirror"
  | "publish_with_errors"
  | "live_deployment_id"
  | "created_at"
> & { domains: string[] };
