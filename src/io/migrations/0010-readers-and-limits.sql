-- Time at which the last request of a row leaves its window. The row is then deleted. Rows from before this migration are deleted, because they contain emails and IP addresses.
delete from rate_windows;
alter table rate_windows add column ends_at timestamptz not null;

-- Tokens that a site's questions have used, by day.
create table model_usage_days (
  project_id text not null references projects (id) on delete cascade,
  day date not null,
  tokens bigint not null,
  primary key (project_id, day)
);

-- Keyed hash of the reader and the reader's groups. Only the same reader can continue a thread.
alter table conversations add column asker bytea;
