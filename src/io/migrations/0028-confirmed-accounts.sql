-- Which sign-in methods of an account its owner has confirmed. Someone else may have added the others: an admin who created a reset link,
-- or a person who used an invitation first.
alter table users
  -- Organization whose admin created the link with which the password was set. A session that starts with this password can only open
  -- this organization. Null: the owner set the password. Not a foreign key, so that the limit outlives the organization.
  add column password_set_in text,
  -- Passkeys that were created since then, and identities that aren't confirmed, may not be the owner's. Null: all are.
  add column unconfirmed_since timestamptz;

alter table user_identities
  -- Whether the provider has verified the account's email.
  add column is_confirmed boolean default false;

alter table sessions
  -- The only organization that the session can open. Null: all of the user's organizations.
  add column limited_to text;

update users set unconfirmed_since = created_at where email_verified_at is null;
update user_identities set is_confirmed = true from users where users.id = user_id and email_verified_at is not null;
