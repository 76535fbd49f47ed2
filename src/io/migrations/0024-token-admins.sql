-- Admin who created a reset link for a member, and the admin's organization. Null if the user requested the link.
alter table one_time_tokens
  add organization_id text references organizations (id) on delete cascade,
  add created_by text references users (id) on delete cascade,
  add check ((organization_id is null) = (created_by is null));
create index one_time_tokens_by_creator on one_time_tokens (created_by) where created_by is not null;
