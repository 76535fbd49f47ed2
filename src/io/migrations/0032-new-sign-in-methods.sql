-- When the sign-in methods of users were added, so that the dashboard can show new ones. Passkeys and second factors have a time already.
-- Null: before this migration, or when the account was created.
alter table users add column password_set_at timestamptz;

alter table user_identities add column created_at timestamptz;
alter table user_identities alter column created_at set default clock_timestamp();

-- When the user confirmed, in this session, that the new sign-in methods are theirs.
alter table sessions add column methods_reviewed_at timestamptz;
