-- The sign-in methods that members proved to be theirs after joining an organization. Proofs end with the membership.
create table proved_methods (
  organization_id text not null,
  user_id text not null,
  -- 'password', 'passkey <ID>', or 'identity <issuer> <subject>'.
  method text not null,
  proved_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id, method),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

-- The method that a session started with, as in proved_methods. Null: started by a process of an earlier version.
alter table sessions add column method text;

-- Whether members can only open the organization in sessions that started with a method in proved_methods.
alter table organizations add column requires_proved_methods boolean not null default false;

-- A new password, and a passkey or identity that is added again, must be proved again, also if a process of an earlier version changes it.
create function forget_password_proofs() returns trigger language plpgsql as $$
begin
  delete from proved_methods where user_id = old.id and method = 'password';
  return null;
end $$;
create trigger forget_password_proofs after update of password_hash on users for each row
  when (new.password_hash is distinct from old.password_hash) execute function forget_password_proofs();

create function forget_passkey_proofs() returns trigger language plpgsql as $$
begin
  delete from proved_methods where user_id = old.user_id and method = 'passkey ' || old.id;
  return null;
end $$;
create trigger forget_passkey_proofs after delete on passkeys for each row execute function forget_passkey_proofs();

create function forget_identity_proofs() returns trigger language plpgsql as $$
begin
  delete from proved_methods where user_id = old.user_id and method = 'identity ' || old.issuer || ' ' || old.subject;
  return null;
end $$;
create trigger forget_identity_proofs after delete on user_identities for each row execute function forget_identity_proofs();
