-- Why a page wasn't helpful. Null: no reason was chosen.
alter table feedback add column reason text check (reason in ('incorrect', 'incomplete', 'unclear', 'other'));
