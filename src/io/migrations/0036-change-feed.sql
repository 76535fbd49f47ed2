-- The change feed: events of a project's messages, feedback, and counted searches, numbered without gaps.

-- The last event of each project's feed.
create table change_feeds (
  project_id text primary key references projects (id) on delete cascade,
  sequence bigint not null default 0,
  digest bytea not null default decode(repeat('00', 32), 'hex'),
  -- Number of the last event in the oldest backup that was restored. Later events of other cursors can be lost.
  restored_sequence bigint
);

-- An event has no content: it's read from the record.
create table change_events (
  project_id text not null references projects (id) on delete cascade,
  sequence bigint not null,
  id text collate "C" not null,
  at timestamptz not null,
  kind text not null check (kind in ('created', 'changed', 'rated', 'resolved', 'deleted')),
  record_type text not null check (record_type in ('conversation', 'feedback', 'search')),
  record_id text collate "C" not null,
  -- SHA-256 of the record and of its rating after the change; of a deleted record, before. Null: unknown, no rating.
  content_hash bytea,
  rating_hash bytea,
  is_resolved boolean not null,
  digest bytea not null,
  primary key (project_id, sequence)
);

create index change_events_by_record on change_events (project_id, record_type, record_id, sequence);

-- Records that were written and don't have an event for it yet. Triggers add a mark in the transaction of each write.
create table change_marks (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  record_type text not null,
  record_id text collate "C" not null,
  primary key (project_id, id)
);

create index change_marks_by_time on change_marks (project_id, at);

-- The ID of the searches for a query on a day. It doesn't contain the query, which may be deleted later.
create function search_record_id(first_day integer, query text) returns text language sql immutable strict parallel safe as $$
  select to_char(date '1970-01-01' + first_day, 'YYYY-MM-DD') || '-' || left(encode(sha256(convert_to(query, 'UTF8')), 'hex'), 32)
$$;

create index search_queries_by_record on search_queries (project_id, (search_record_id(first_day, query) collate "C")) where span_days = 1;

-- When a whole project is deleted, its feed is deleted with it.
create function mark_conversations() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into change_marks (project_id, record_type, record_id) select project_id, 'conversation', id from gone
      where is_finished and exists (select from projects where projects.id = project_id);
  else
    insert into change_marks (project_id, record_type, record_id) select project_id, 'conversation', id from came where is_finished;
  end if;
  return null;
end $$;
create trigger mark_new_conversations after insert on conversations
  referencing new table as came for each statement execute function mark_conversations();
create trigger mark_changed_conversations after update on conversations
  referencing new table as came for each statement execute function mark_conversations();
create trigger mark_deleted_conversations after delete on conversations
  referencing old table as gone for each statement execute function mark_conversations();

create function mark_ratings() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into change_marks (project_id, record_type, record_id) select project_id, 'conversation', message_id from gone
      where exists (select from projects where projects.id = project_id);
  else
    insert into change_marks (project_id, record_type, record_id) select project_id, 'conversation', message_id from came;
  end if;
  return null;
end $$;
create trigger mark_new_ratings after insert on message_feedback
  referencing new table as came for each statement execute function mark_ratings();
create trigger mark_changed_ratings after update on message_feedback
  referencing new table as came for each statement execute function mark_ratings();
create trigger mark_deleted_ratings after delete on message_feedback
  referencing old table as gone for each statement execute function mark_ratings();

-- A decision about a group of unanswered questions concerns each of them.
create function mark_decisions() returns trigger language plpgsql as $$
begin
  insert into change_marks (project_id, record_type, record_id)
    select message.project_id, 'conversation', message.id from came join conversations as message
      on message.project_id = came.project_id and message.question_key = came.question_key
    where message.is_finished and message.resolution_status = 'unanswered' and message.id <= came.decision_id;
  return null;
end $$;
create trigger mark_new_decisions after insert on question_groups
  referencing new table as came for each statement execute function mark_decisions();
create trigger mark_changed_decisions after update on question_groups
  referencing new table as came for each statement execute function mark_decisions();

create function mark_feedback() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into change_marks (project_id, record_type, record_id) select project_id, 'feedback', id from gone
      where exists (select from projects where projects.id = project_id);
  else
    insert into change_marks (project_id, record_type, record_id) select project_id, 'feedback', id from came;
  end if;
  return null;
end $$;
create trigger mark_new_feedback after insert on feedback
  referencing new table as came for each statement execute function mark_feedback();
create trigger mark_changed_feedback after update on feedback
  referencing new table as came for each statement execute function mark_feedback();
create trigger mark_deleted_feedback after delete on feedback
  referencing old table as gone for each statement execute function mark_feedback();

-- Blocks of several days aren't records.
create function mark_searches() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into change_marks (project_id, record_type, record_id) select project_id, 'search', search_record_id(first_day, query) from gone
      where span_days = 1 and exists (select from projects where projects.id = project_id);
  else
    insert into change_marks (project_id, record_type, record_id) select project_id, 'search', search_record_id(first_day, query) from came
      where span_days = 1;
  end if;
  return null;
end $$;
create trigger mark_new_searches after insert on search_queries
  referencing new table as came for each statement execute function mark_searches();
create trigger mark_changed_searches after update on search_queries
  referencing new table as came for each statement execute function mark_searches();
create trigger mark_deleted_searches after delete on search_queries
  referencing old table as gone for each statement execute function mark_searches();

-- The records that exist are the first events of each feed.
insert into change_marks (project_id, at, record_type, record_id)
  select project_id, now(), 'conversation', id from conversations where is_finished
  union all select project_id, now(), 'feedback', id from feedback
  union all select project_id, now(), 'search', search_record_id(first_day, query) from search_queries where span_days = 1;
