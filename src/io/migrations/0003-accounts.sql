-- People who run documentation: their accounts, what they may do in which organization, and where they are signed in.

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  -- Null: signs in by a provider only.
  password_hash text,
  created_at timestamptz not null default now()
);

-- As whom a provider of single sign-on knows somebody.
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

-- Only a hash of a link's token is kept: a copy of the database opens no door.
create table invitations (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- Null: for whoever has the link, as the one of the first start.
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
  -- What its owner knows it by.
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

create index sessions_by_user on sessions (user_id, id);

-- Keys go with the member who made them.
alter table api_keys add column created_by text references users (id) on delete set null;
