-- Data for the dashboard: conversations by any combination of filters, counts by day, and groups of unanswered questions.

alter table conversations
  -- Search terms of the question, and a key that similar questions share.
  -- Null: a row from before this migration, which the sweeper updates.
  add column question_terms text[],
  add column question_key text collate "C";

-- The day of an ID, numbered from 1970-01-01 in UTC. An ID's first ten characters are its time in milliseconds.
create function ulid_day(id text) returns integer language plpgsql immutable strict parallel safe as $$
declare
  ms bigint := 0;
begin
  for place in 1..10 loop
    ms := ms * 32 + strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, place, 1)) - 1;
  end loop;
  return ms / 86400000;
end $$;

-- Search keys of a message: the terms of its question, and keys that start with "=". No term starts with this character.
-- The first characters of an ID determine a period: three of them about a year, four of them twelve days, five of them nine hours. Keys for
-- periods contain the project, so that a query for a period doesn't read other tenants' messages. The key of a page is its path without a
-- slash or .html at the end.
create function conversation_facets(
  project_id text, id text, resolution_status text, query_category text, page_url text, caller text, question_terms text[]
) returns text[] language sql immutable parallel safe as $$
  select array[
    '=t' || project_id || left(id, 3), '=t' || project_id || left(id, 4), '=t' || project_id || left(id, 5), '=s' || resolution_status, '=f' || caller,
    '=c' || coalesce(left(query_category, 200), ''),
    '=p' || coalesce(left(regexp_replace(regexp_replace(page_url, '^[a-z]+://[^/?#]*|[?#].*$', '', 'g'), '(\.html)?/*$', ''), 300), '')
  ] || question_terms
$$;

-- New entries wait in a list of up to 64 KB. Imports can therefore write many entries at once, and searches only have to read a short list.
create index conversations_by_facets on conversations using gin ((
  conversation_facets(project_id, id, resolution_status, query_category, page_url, caller, question_terms) collate "C"
)) with (fastupdate = on, gin_pending_list_limit = 64) where is_finished;

-- The messages in a group of unanswered questions.
create index conversations_unanswered on conversations (project_id, question_key, id)
  where is_finished and resolution_status = 'unanswered';
create index conversations_unread on conversations (id) where is_finished and question_key is null;

create table conversation_days (
  project_id text not null references projects (id) on delete cascade,
  day integer not null,
  -- Empty: no category.
  query_category text collate "C" not null,
  resolution_status text not null,
  caller text not null,
  count integer not null,
  primary key (project_id, day, query_category, resolution_status, caller)
);

create table unanswered_days (
  project_id text not null references projects (id) on delete cascade,
  day integer not null,
  question_key text collate "C" not null,
  count integer not null,
  primary key (project_id, day, question_key)
);

create type conversation_change as (
  project_id text, day integer, query_category text, resolution_status text, caller text, question_key text, change integer
);

-- Triggers update the counts for every write. They update rows in the order of their keys, so that two transactions can't wait for
-- each other.
create function count_conversations() returns trigger language plpgsql as $$
declare
  changes conversation_change[];
begin
  if tg_op = 'INSERT' then
    select array_agg(row(project_id, ulid_day(id), coalesce(left(query_category, 200), ''), resolution_status, caller, question_key, 1)::conversation_change)
      into changes from came where is_finished;
  elsif tg_op = 'DELETE' then
    select array_agg(row(project_id, ulid_day(id), coalesce(left(query_category, 200), ''), resolution_status, caller, question_key, -1)::conversation_change)
      into changes from gone where is_finished;
  else
    select array_agg(row(project_id, ulid_day(id), coalesce(left(query_category, 200), ''), resolution_status, caller, question_key, change)::conversation_change)
      into changes from (select came.*, 1 as change from came union all select gone.*, -1 from gone) as changed where is_finished;
  end if;
  if changes is null then return null; end if;

  -- If the whole project is deleted, its counts are deleted with it.
  insert into conversation_days as kept
    select project_id, day, query_category, resolution_status, caller, sum(change) from unnest(changes)
    where exists (select from projects where projects.id = project_id)
    group by 1, 2, 3, 4, 5 having sum(change) <> 0 order by 1, 2, 3, 4, 5
    on conflict (project_id, day, query_category, resolution_status, caller) do update set count = kept.count + excluded.count;
  insert into unanswered_days as kept
    select project_id, day, question_key, sum(change) from unnest(changes)
    where resolution_status = 'unanswered' and question_key is not null and exists (select from projects where projects.id = project_id)
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
    on conflict (project_id, day, question_key) do update set count = kept.count + excluded.count;
  if tg_op = 'INSERT' then return null; end if;

  delete from conversation_days as kept using unnest(changes) as changed
    where kept.count = 0 and kept.project_id = changed.project_id and kept.day = changed.day
    and kept.query_category = changed.query_category and kept.resolution_status = changed.resolution_status and kept.caller = changed.caller;
  delete from unanswered_days as kept using unnest(changes) as changed
    where kept.count = 0 and kept.project_id = changed.project_id and kept.day = changed.day and kept.question_key = changed.question_key;
  return null;
end $$;

create trigger conversations_came after insert on conversations
  referencing new table as came for each statement execute function count_conversations();
create trigger conversations_changed after update on conversations
  referencing old table as gone new table as came for each statement execute function count_conversations();
create trigger conversations_gone after delete on conversations
  referencing old table as gone for each statement execute function count_conversations();

insert into conversation_days
  select project_id, ulid_day(id), coalesce(left(query_category, 200), ''), resolution_status, caller, count(*)
  from conversations where is_finished group by 1, 2, 3, 4, 5;
