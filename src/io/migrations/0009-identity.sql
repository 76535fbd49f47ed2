-- Verified emails, and sessions with the method of sign-in.

alter table users
  -- Time at which a sign-in provider verified the email. Null: not verified. Accepting an invitation doesn't verify it.
  add column email_verified_at timestamptz,
  -- The organization whose invitation created the account. Other organizations don't trust the account.
  add column invited_to text references organizations (id) on delete set null;

-- An account with an unverified email must not prevent the owner of the email from signing in.
alter table users drop constraint users_email_key;
create unique index users_by_verified_email on users (email) where email_verified_at is not null;
create unique index users_by_email on users (email, invited_to) where email_verified_at is null;

alter table sessions
  -- The provider with which the user signed in. Null: a password.
  add column issuer text,
  -- Time of the user's last authentication. Null: unknown to the provider.
  add column authenticated_at timestamptz;

-- Another person may have set the password before the account was connected to a provider.
update users set email_verified_at = now(), password_hash = null where id in (select user_id from user_identities);
delete from sessions where user_id in (select user_id from user_identities);

-- Groups whose pages an assistant key may read. None by default, because such a key is public.
alter table api_keys add column groups text[] not null default '{}';

-- A key without a creator belongs to the operator, so a key is deleted together with its creator.
alter table api_keys drop constraint api_keys_created_by_fkey;
alter table api_keys add constraint api_keys_created_by_fkey foreign key (created_by) references users (id) on delete cascade;

-- Several projects can claim a domain, but only one can have verified it.
alter table domains drop constraint domains_pkey;
alter table domains add primary key (project_id, domain);
create unique index domains_by_verified_domain on domains (domain) where verified_at is not null;
create index domains_by_organization on domains (organization_id);
drop index domains_by_project;

-- Failed sign-ins since the last audit log entry about failed sign-ins.
alter table users add column failed_sign_ins integer not null default 0;

-- The key that encrypts the secrets in other tables. It is encrypted with a key that is derived from the service's secret. One row.
create table data_keys (
  id text primary key,
  wrapped bytea not null,
  created_at timestamptz not null default now()
);
