-- The assistant of the sites: how turns come to be, what readers think of them, what is searched for, and what models cost.

-- How the site's questions are answered: {"isEnabled": boolean, "model": {...}}; null: as the service is set.
alter table projects add column assistant jsonb;

alter table conversations
  -- Written when a question is asked, and shown once it is answered: only finished turns are exported.
  add column is_finished boolean not null default true,
  -- Raised by every try to answer. A try that was overtaken by a later one writes nothing.
  add column attempt integer not null default 0,
  -- What the asker calls the question: the same name again in a conversation asks it anew.
  add column message_id text,
  -- Who asked: a reader of the site, a program by the API, or somebody elsewhere.
  add column caller text not null default 'other' check (caller in ('web', 'api', 'other')),
  -- The group of the navigation that the found sections point to. A job makes the category of it.
  add column theme text;

create index conversations_unfinished on conversations (id) where not is_finished;

-- What a reader thought of an answer.
create table turn_feedback (
  project_id text not null,
  turn_id text collate "C" not null,
  helpful boolean not null,
  comment text,
  at timestamptz not null default clock_timestamp(),
  primary key (project_id, turn_id),
  foreign key (project_id, turn_id) references conversations (project_id, id) on delete cascade
);

-- What was searched for on a site, and which results were opened. The time part of an id is its instant, as with conversations.
create table search_events (
  project_id text not null references projects (id) on delete cascade,
  id text collate "C" not null,
  query text not null,
  -- How many results there were; null when this is about one that was opened.
  results_count integer,
  clicked_path text,
  caller text not null check (caller in ('web', 'api')),
  primary key (project_id, id),
  check ((results_count is null) <> (clicked_path is null))
);

-- Tokens that an organization's questions took of the operator's model, by month.
create table model_usage (
  organization_id text not null references organizations (id) on delete cascade,
  month date not null,
  tokens bigint not null,
  primary key (organization_id, month)
);
