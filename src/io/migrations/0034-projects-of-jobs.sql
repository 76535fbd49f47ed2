-- The project of a job, so that the waiting jobs of one project don't delay the other projects of the organization. Empty: none, or
-- created by an earlier version.
alter table jobs
  add column project_id text not null default '',
  -- Negative number of the project's jobs of this name that were waiting when the job was created.
  add column project_priority integer not null default 0;
