-- When the reader followed the link to support below this answer, the first time.
alter table conversations add column handed_over_at timestamptz;
