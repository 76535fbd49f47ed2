-- When recovery codes were created. Null: before this migration.
alter table recovery_codes add column created_at timestamptz;
alter table recovery_codes alter column created_at set default clock_timestamp();

-- The time of a password, also for processes of earlier versions, which can still run during an upgrade.
create function set_password_time() returns trigger language plpgsql as $$
begin
  new.password_set_at := case when new.password_hash is not null then clock_timestamp() end;
  return new;
end $$;
create trigger set_password_time before update of password_hash on users for each row
  when (new.password_hash is distinct from old.password_hash) execute function set_password_time();

-- The keys that a user created, which each page of the dashboard looks up.
create index api_keys_by_creator on api_keys (created_by) where created_by is not null;
