-- Workers check the DNS records and the certificate of each domain again after growing intervals.
alter table domains
  add column next_check_at timestamptz not null default now(),
  -- Number of checks since the result last changed. Determines the next interval.
  add column check_count integer not null default 0,
  add column check_result jsonb;

create index domains_by_next_check on domains (next_check_at);
