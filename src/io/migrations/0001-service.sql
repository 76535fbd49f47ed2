-- Organizations and what they own. Every table of tenants' data names the organization, so that every query can.

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
  -- Where its deployments come from: {"kind": "upload" | "folder" | "git", ...}
  source jsonb not null,
  -- How readers sign in; null: nobody needs to.
  sign_in jsonb,
  live_deployment_id text,
  -- Only a deployment with a higher number than this goes live: the live one's, or after a roll-back the last that had been asked for.
  live_after_number bigint not null default 0,
  -- Raised by every change that hosts must know of.
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
  -- What the owner puts into a TXT record to prove that the domain is theirs.
  verification_token text not null,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);

create index domains_by_project on domains (project_id);

-- Only a hash is kept: a copy of the database opens no door.
create table api_keys (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- The one project of an assistant key.
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

-- A sliding window for each subject: the instants of the requests that it was granted, and how many at each.
create table rate_windows (
  subject text primary key,
  hits timestamptz[] not null,
  counts integer[] not null
);

-- Each entry carries a hash over itself and the one before, so that a removal shows.
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
  -- The order in which deployments of a project were asked for: an older one never goes live over a newer one.
  number bigint not null,
  status text not null check (status in ('queued', 'in_progress', 'success', 'failure')),
  -- Who takes part in the race for this row: a write names the attempt it belongs to.
  attempt integer not null default 0,
  trigger text not null,
  -- A preview of a branch lives under a host name of its own and never goes live.
  preview_branch text,
  preview_host text,
  -- What was built: {"archive": key of the sources, "documents": those fetched from elsewhere}
  snapshot jsonb,
  commit jsonb,
  summary text,
  problems jsonb not null default '[]',
  logs jsonb not null default '[]',
  page_count integer,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Taken back: its pages are gone for good.
  purged_at timestamptz,
  unique (project_id, number)
);

create index deployments_by_end on deployments (ended_at);

-- Files by the hash of their content, shared by all deployments. `used_at` keeps the sweeper off what is being reused.
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
  -- No reference: the record of an export outlives the deployment that it was made of.
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
  -- As text, so that a repeated answer is the first one to the byte.
  response json not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, route, key)
);

-- One turn of a conversation. The time of a turn is the time part of its id, so one index serves date, order and cursor.
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

-- The sign of life of whoever works on a job.
create table job_leases (
  job_id text primary key,
  queue text not null,
  attempt integer not null,
  beat_at timestamptz not null default clock_timestamp()
);

-- Appends to an organization's log: one writer at a time, each entry hashed together with the one before.
create function append_audit(
  organization text, who text, what text, which text, how text, request text, origin text, more jsonb, durable boolean
) returns void language plpgsql as $$
declare
  last_number bigint;
  last_hash bytea;
  instant timestamptz;
begin
  -- An entry of who read what may be lost with the power; its reader does not wait for the disk.
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
