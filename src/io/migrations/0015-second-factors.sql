-- Two-factor authentication, passkeys and password resets of users.
create table totp_factors (
  user_id text primary key references users (id) on delete cascade,
  -- Encrypted secret of the authenticator app.
  secret text not null,
  -- Null until the user has entered a first code.
  confirmed_at timestamptz,
  -- Time step of the last accepted code. Each code is accepted only once.
  last_step integer not null default 0
);

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

create table passkeys (
  -- Credential ID in base64url.
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index passkeys_by_user on passkeys (user_id);

-- Single-use tokens: password resets, and sign-ins that still need a second factor. Only a hash is stored.
create table one_time_tokens (
  hash bytea primary key,
  kind text not null check (kind in ('password-reset', 'second-factor')),
  user_id text not null references users (id) on delete cascade,
  expires_at timestamptz not null
);

create index one_time_tokens_by_user on one_time_tokens (user_id, kind);
create index one_time_tokens_by_end on one_time_tokens (expires_at);
