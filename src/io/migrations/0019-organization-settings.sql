alter table organizations
  -- Preselected for invitations.
  add column default_role text not null default 'viewer' check (default_role in ('viewer', 'editor', 'admin'));

create table organization_logos (
  organization_id text primary key references organizations (id) on delete cascade,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null,
  -- SHA-256 in hexadecimal. The logo's URL contains the first characters of this hash.
  hash text not null
);
