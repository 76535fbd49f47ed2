-- Another Git repository that every push to the project's own one is copied to: its URL and token.
alter table projects add column mirror jsonb;
-- The version that the mirror has, and why the last attempt to update it failed.
alter table git_repositories
  add column mirrored_version integer,
  add column mirrored_at timestamptz,
  add column mirror_error text;
