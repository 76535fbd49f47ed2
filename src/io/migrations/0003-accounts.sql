-- User accounts, memberships and sessions.

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  -- Null: the user signs in with a provider only.
  password_hash text,
  created_at timestamptz not null default now()
);

-- Identities of users at single sign-on providers.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  primary key (issuer, subject)
);

create table memberships (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);

create index memberships_by_user on memberships (user_id);

-- Only a hash of a link's token is stored, so that a copy of the database grants no access.
create table invitations (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- Null: anyone with the link can accept the invitation. The invitation created at the first start is like this.
  email text check (email = lower(email)),
  role text not null check (role in ('admin', 'editor', 'viewer')),
  token_hash bytea not null unique,
  invited_by text references users (id) on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index invitations_by_organization on invitations (organization_id, id);

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  -- Shown to the user to identify the session.
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

create index sessions_by_user on sessions (user_id, id);

-- The member who created the key.
alter table api_keys add column created_by text references users (id) on delete set null;
