-- Daily counts of page views, feedback and searches, without data about individual readers.
-- Days are numbered from 1970-01-01, in UTC.

-- Page views in blocks of 1, 4, 16, 64 and 256 days. Each block starts at a multiple of its length, so that a range of any length
-- is the sum of a few blocks of each page.
create table page_traffic (
  project_id text not null references projects (id) on delete cascade,
  span_days smallint not null,
  first_day integer not null,
  path text collate "C" not null,
  human_views integer not null,
  ai_views integer not null,
  -- Distinct within a day. For a longer block, this is the sum over its days.
  human_visitors integer not null,
  ai_visitors integer not null,
  primary key (project_id, span_days, first_day, path)
);

-- The same for a whole site. A visitor of several pages is counted once.
create table site_traffic (
  project_id text not null references projects (id) on delete cascade,
  day integer not null,
  human_views integer not null,
  ai_views integer not null,
  human_visitors integer not null,
  ai_visitors integer not null,
  primary key (project_id, day)
);

-- Hosts from which readers came. Their number per site and day is limited.
create table referrers (
  project_id text not null references projects (id) on delete cascade,
  day integer not null,
  host text collate "C" not null,
  views integer not null,
  primary key (project_id, day, host)
);

-- Data for recognizing repeated visits on the same day. Both tables are cleared when the day is over, so that no hash can be
-- recomputed, and neither is included in backups. An empty path means the whole site.
create table visitor_salts (
  day integer primary key,
  salt bytea not null
);

create table visitor_marks (
  day integer not null,
  project_id text not null references projects (id) on delete cascade,
  path text collate "C" not null,
  visitor bytea not null,
  primary key (day, project_id, path, visitor)
);

-- Feedback on pages. The time of feedback is the time part of its ID, as in conversations.
create table feedback (
  project_id text not null references projects (id) on delete cascade,
  id text collate "C" not null,
  path text not null,
  source text not null check (source in ('code_snippet', 'contextual', 'agent', 'thumbs_only')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'resolved', 'dismissed')),
  -- Null: feedback on code, which has no rating.
  helpful boolean,
  comment text,
  contact text,
  code text,
  filename text,
  lang text,
  primary key (project_id, id)
);

-- Number of searches by day, for all queries together.
create table search_days (
  project_id text not null references projects (id) on delete cascade,
  day integer not null,
  hits integer not null,
  without_results integer not null,
  clicks integer not null,
  primary key (project_id, day)
);

-- Queries in blocks of days as above. Each block contains the most frequent queries.
create table search_queries (
  project_id text not null references projects (id) on delete cascade,
  span_days smallint not null,
  first_day integer not null,
  query text collate "C" not null,
  hits integer not null,
  -- Number of these searches that came from the API, which doesn't report opened results.
  api_hits integer not null,
  without_results integer not null,
  clicks integer not null,
  last_at timestamptz,
  primary key (project_id, span_days, first_day, query)
);

-- Opened results of a query.
create table search_clicks (
  project_id text not null references projects (id) on delete cascade,
  query text collate "C" not null,
  span_days smallint not null,
  first_day integer not null,
  path text collate "C" not null,
  clicks integer not null,
  primary key (project_id, query, span_days, first_day, path)
);

-- Counts by caller are read from this index alone.
create index conversations_by_caller on conversations (project_id, id) include (caller) where is_finished;

create temporary table told on commit drop as
  select project_id, query, path, span_days, day / span_days * span_days as first_day, day, caller, results_count, at
  from (
    select project_id, left(lower(query), 200) as query, left(clicked_path, 1000) as path, caller, results_count, at,
      floor(extract(epoch from at) / 86400)::integer as day
    from search_events, lateral (
      select to_timestamp(sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, letter, 1)) - 1) * power(32::numeric, 10 - letter)) / 1000.0) as at
      from generate_series(1, 10) letter
    ) as made
  ) as events cross join (values (1), (4), (16), (64), (256)) as spans (span_days);

insert into search_days
  select project_id, day, count(results_count), count(*) filter (where results_count = 0), count(path)
  from told where span_days = 1 group by project_id, day;

insert into search_queries
  select project_id, span_days, first_day, query, count(results_count), count(results_count) filter (where caller = 'api'),
    count(*) filter (where results_count = 0), count(path), max(at) filter (where results_count is not null)
  from told group by project_id, span_days, first_day, query;

insert into search_clicks
  select project_id, query, span_days, first_day, path, count(*)
  from told where path is not null group by project_id, query, span_days, first_day, path;

drop table search_events;
