-- Organizations and the tables for their data. Most of these tables have a column for the organization, so that queries can filter by it.

create table organizations (
  id text primary key,
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  created_at timestamptz not null default now()
);

create table projects (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null,
  subdomain text not null unique,
  -- Source of its deployments: {"kind": "upload" | "folder" | "git", ...}
  source jsonb not null,
  -- How readers sign in. Null: the site is public.
  sign_in jsonb,
  live_deployment_id text,
  -- Only a deployment with a higher number goes live. This is the number of the live deployment or, after a rollback, the highest number at that time.
  live_after_number bigint not null default 0,
  -- Incremented by every change that affects hosts.
  revision bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now()
);

create index projects_by_organization on projects (organization_id, id);
create index projects_by_change on projects (changed_at);

create table domains (
  domain text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  -- Content of the TXT record with which the owner proves control of the domain.
  verification_token text not null,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);

create index domains_by_project on domains (project_id);

-- API keys. Only a hash is stored, so that a copy of the database grants no access.
create table api_keys (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- The project of an assistant key.
  project_id text references projects (id) on delete cascade,
  type text not null check (type in ('admin', 'assistant')),
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  allowed_ips text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  check ((type = 'assistant') = (project_id is not null))
);

create index api_keys_by_organization on api_keys (organization_id, id);

-- A sliding window for each subject: the times of admitted requests, and the number of requests at each time.
create table rate_windows (
  subject text primary key,
  hits timestamptz[] not null,
  counts integer[] not null
);

-- Each entry has a hash of itself and of the previous entry, so that removed entries are detected.
create table audit_log (
  organization_id text not null references organizations (id) on delete cascade,
  number bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  outcome text not null,
  request_id text,
  address text,
  metadata jsonb not null,
  hash bytea not null,
  primary key (organization_id, number)
);

create table deployments (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  -- Order in which the deployments of a project were created.
  number bigint not null,
  status text not null check (status in ('queued', 'in_progress', 'success', 'failure')),
  -- Number of the current attempt. Writes of earlier attempts have no effect.
  attempt integer not null default 0,
  trigger text not null,
  -- A preview of a branch has its own host name and never goes live.
  preview_branch text,
  preview_host text,
  -- Input of the build: {"archive": key of the sources, "documents": fetched documents}
  snapshot jsonb,
  commit jsonb,
  summary text,
  problems jsonb not null default '[]',
  logs jsonb not null default '[]',
  page_count integer,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Time at which the deployment's pages were permanently deleted.
  purged_at timestamptz,
  unique (project_id, number)
);

create index deployments_by_end on deployments (ended_at);

-- Files by the hash of their content, shared by all deployments. The sweeper doesn't delete files with a recent `used_at`.
create table stored_files (
  hash text primary key,
  bytes bigint not null,
  encodings jsonb not null,
  used_at timestamptz not null default now()
);

create index stored_files_by_use on stored_files (used_at);

create table static_export_jobs (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  -- Not a foreign key, because the row outlives the deployment.
  deployment_id text not null,
  domain text not null,
  version text,
  paths text[],
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  attempt integer not null default 0,
  progress numeric not null default 0,
  page_count integer not null default 0,
  total_pages integer,
  error text,
  bundle_key text,
  bundle_bytes bigint,
  bundle_sha256 text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz
);

create index static_export_jobs_by_organization on static_export_jobs (organization_id, created_at);
create index static_export_jobs_by_domain on static_export_jobs (project_id, domain, completed_at);
create index static_export_jobs_by_end on static_export_jobs (completed_at);

create table idempotency_keys (
  organization_id text not null references organizations (id) on delete cascade,
  route text not null,
  key text not null,
  body_hash bytea not null,
  -- `json` keeps the text, so that a repeated response is identical to the first one.
  response json not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, route, key)
);

-- The messages in conversations. The time of a message is the time part of its ID, so a single index supports dates, order and cursors.
create table conversations (
  project_id text not null references projects (id) on delete cascade,
  id text collate "C" not null,
  thread_id text collate "C" not null,
  query text not null,
  response text not null,
  response_type text,
  sources jsonb not null,
  resolution_status text not null check (resolution_status in ('answered', 'unanswered')),
  query_category text,
  page_url text,
  primary key (project_id, id)
);

create index conversations_by_thread on conversations (project_id, thread_id, id);

-- Leases that workers renew while they run a job.
create table job_leases (
  job_id text primary key,
  queue text not null,
  attempt integer not null,
  beat_at timestamptz not null default clock_timestamp()
);

-- Appends an entry to an organization's audit log. Only one transaction at a time appends.
create function append_audit(
  organization text, who text, what text, which text, how text, request text, origin text, more jsonb, durable boolean
) returns void language plpgsql as $$
declare
  last_number bigint;
  last_hash bytea;
  instant timestamptz;
begin
  -- Entries that aren't durable may be lost in a power failure. Their transaction doesn't wait for the disk.
  if not durable then perform set_config('synchronous_commit', 'off', true); end if;
  perform pg_advisory_xact_lock(hashtextextended('audit ' || organization, 0));
  select number, hash into last_number, last_hash from audit_log
    where organization_id = organization order by number desc limit 1;
  instant := date_trunc('milliseconds', clock_timestamp());
  insert into audit_log values (
    organization, coalesce(last_number, 0) + 1, instant, who, what, which, how, request, origin, more,
    sha256(coalesce(last_hash, ''::bytea) || convert_to(
      concat_ws(E'\n', coalesce(last_number, 0) + 1, extract(epoch from instant), who, what, which, how, request, origin, more::text), 'UTF8'))
  );
end $$;
