-- Readers that an export is for: a list of groups, or `{}` for visitors who aren't signed in. Null if no audience was chosen.
alter table static_export_jobs
  add column audience jsonb,
  -- What the export leaves out, once it is completed.
  add column audience_report jsonb;
