-- Git repositories of projects that aren't connected to one. The objects are pack files in the object store.
create table git_repositories (
  project_id text primary key references projects (id) on delete cascade,
  -- The branch that is deployed to the site.
  branch text not null default 'main',
  -- Hash of each branch and tag, by full ref name.
  refs jsonb not null default '{}',
  -- List of pack files (StoredPack).
  packs jsonb not null default '[]',
  -- Incremented with each change, so that a process knows whether its copy is up to date.
  version integer not null default 0,
  pushed_at timestamptz not null default clock_timestamp()
);
