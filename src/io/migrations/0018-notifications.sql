-- Notifications: events, webhooks of organizations, and deliveries of events to webhooks and by email.
create table webhooks (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- The webhook receives only events of this project. Null: events of all projects.
  project_id text references projects (id) on delete cascade,
  -- Encrypted: the URLs of some receivers, such as Slack, contain a secret.
  url text not null,
  secret text not null,
  format text not null check (format in ('json', 'slack')),
  events text[] not null,
  is_enabled boolean not null default true,
  -- First failed attempt since the last success.
  failing_since timestamptz,
  -- When the service disabled the webhook because it kept failing.
  disabled_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index webhooks_by_organization on webhooks (organization_id, id);
create index webhooks_by_project on webhooks (project_id);

-- Inserted in the transaction of the change that an event is about.
create table notification_events (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  project_id text references projects (id) on delete cascade,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Each key is used for only one event, so nothing is reported twice.
  unique_key text unique,
  -- When the deliveries are created. Null: they already exist.
  send_at timestamptz
);
create index notification_events_due on notification_events (send_at) where send_at is not null;
create index notification_events_by_organization on notification_events (organization_id);
create index notification_events_by_project on notification_events (project_id);
create index notification_events_by_time on notification_events (created_at);

create table notification_deliveries (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  event_id text not null references notification_events (id) on delete cascade,
  -- The receiver: a webhook, or a user by email.
  webhook_id text references webhooks (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempt integer not null default 0,
  -- While an attempt runs, the end of its lease. Null: no further attempt.
  next_attempt_at timestamptz default clock_timestamp(),
  last_attempt_at timestamptz,
  response_status integer,
  error text,
  duration_ms integer,
  check ((webhook_id is null) <> (user_id is null)),
  unique (event_id, webhook_id),
  unique (event_id, user_id)
);
create index notification_deliveries_due on notification_deliveries (next_attempt_at) where next_attempt_at is not null;
create index notification_deliveries_by_webhook on notification_deliveries (webhook_id, id);
create index notification_deliveries_by_user on notification_deliveries (user_id);
create index notification_deliveries_by_organization on notification_deliveries (organization_id);

-- Events that a member receives by email. Members without a row receive the default events for their role.
create table notification_choices (
  organization_id text not null,
  user_id text not null,
  events text[] not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null;
