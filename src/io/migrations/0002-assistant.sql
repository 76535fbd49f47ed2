-- Data of the assistant: messages, feedback, searches and used tokens.

-- Settings of the site's assistant: {"isEnabled": boolean, "model": {...}}. Null: the settings of the service apply.
alter table projects add column assistant jsonb;

alter table conversations
  -- A row is created when a question is asked. Only finished messages are shown and exported.
  add column is_finished boolean not null default true,
  -- Number of the current attempt to answer. Writes of earlier attempts have no effect.
  add column attempt integer not null default 0,
  -- The client's ID for the question. If a conversation already has a message with this ID, the message is replaced.
  add column message_id text,
  -- Source of the question: a reader of the site, an API client, or another source.
  add column caller text not null default 'other' check (caller in ('web', 'api', 'other')),
  -- The navigation group that contains most of the found sections. A job sets the category to this group.
  add column theme text;

create index conversations_unfinished on conversations (id) where not is_finished;

-- Feedback on answers.
create table turn_feedback (
  project_id text not null,
  turn_id text collate "C" not null,
  helpful boolean not null,
  comment text,
  at timestamptz not null default clock_timestamp(),
  primary key (project_id, turn_id),
  foreign key (project_id, turn_id) references conversations (project_id, id) on delete cascade
);

-- Searches on a site, and opened results. The time of an event is the time part of its ID, as in conversations.
create table search_events (
  project_id text not null references projects (id) on delete cascade,
  id text collate "C" not null,
  query text not null,
  -- Number of results. Null for an opened result.
  results_count integer,
  clicked_path text,
  caller text not null check (caller in ('web', 'api')),
  primary key (project_id, id),
  check ((results_count is null) <> (clicked_path is null))
);

-- Tokens of the operator's model that an organization's questions have used, by month.
create table model_usage (
  organization_id text not null references organizations (id) on delete cascade,
  month date not null,
  tokens bigint not null,
  primary key (organization_id, month)
);
