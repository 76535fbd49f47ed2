-- Operators see the whole service in the dashboard.
alter table users add column is_operator boolean not null default false;
create index users_by_operator on users (id) where is_operator;

-- The invitation that is created at the first start. Its user becomes an operator.
alter table invitations add column is_operator boolean not null default false;

-- Indexes for the lists on the operator pages.
create index organizations_by_name on organizations ((lower(name) collate "C"), id);
create index organizations_by_storage on organizations (coalesce(stored_bytes, 0), id);
create index sessions_by_seen_at on sessions (seen_at, id);
