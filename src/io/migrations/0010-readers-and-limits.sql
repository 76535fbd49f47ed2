-- When the last request of a row leaves its window: rows are removed then. Earlier rows name people's emails and addresses.
delete from rate_windows;
alter table rate_windows add column ends_at timestamptz not null;

-- Tokens that a site's questions used of a model, by day.
create table model_usage_days (
  project_id text not null references projects (id) on delete cascade,
  day date not null,
  tokens bigint not null,
  primary key (project_id, day)
);

-- Keyed hash of who asks, and of what they may read. Only the same reader continues a thread.
alter table conversations add column asker bytea;
