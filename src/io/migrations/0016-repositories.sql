-- Repositories: credentials and webhooks of projects, polling, and previews of pull requests.

-- Settings of the project's repository (RepositoryConnection). Secrets are encrypted. Secrets of existing projects are encrypted at the next start.
alter table projects add column connection jsonb;
-- When the branch is checked for new commits. Null: never.
alter table projects add column next_poll_at timestamptz;
create index projects_by_poll on projects (next_poll_at) where next_poll_at is not null;

update projects set connection = jsonb_build_object(
  'access', 'public', 'webhookSecret', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
where source ->> 'kind' = 'git';

create table webhook_deliveries (
  project_id text not null references projects (id) on delete cascade,
  -- The git host's ID for the delivery. Rejected deliveries have an ID that we generate.
  id text not null,
  -- Hash of the event and the body, so that a repeated body is recognized even if its ID is different. Null for rejected deliveries.
  body_hash bytea,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  result text not null,
  primary key (project_id, id)
);
create unique index webhook_deliveries_by_body on webhook_deliveries (project_id, body_hash);

create table pull_requests (
  project_id text not null references projects (id) on delete cascade,
  number integer not null,
  -- ID of our comment on the git host.
  comment_id text,
  primary key (project_id, number)
);

alter table deployments
  -- Progress in percent.
  add column progress smallint not null default 0,
  -- Time of each line of the log, in milliseconds since 1970. Null for deployments of earlier versions.
  add column log_times jsonb,
  add column canceled_at timestamptz,
  -- Why the commit status or the comment couldn't be sent to the git host.
  add column status_error text;
