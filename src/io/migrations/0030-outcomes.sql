-- How a deployment ended and why a job failed are data. Earlier versions had them only in texts.
alter table deployments
  -- How a successful deployment ended: `live`, `superseded`, `held` or `preview`. Null for other deployments.
  add column outcome text,
  -- Number of problems that aren't in `problems`.
  add column unlisted_count integer not null default 0;

-- Sets the outcome of deployments by processes of earlier versions, which can still run during an upgrade.
create function set_outcome() returns trigger language plpgsql as $$
begin
  if new.status = 'success' and new.outcome is null then
    new.outcome := case
      when new.preview_branch is not null then 'preview'
      when new.held_errors is not null then 'held'
      when new.summary like 'Superseded:%' then 'superseded'
      else 'live' end;
    new.error_count := coalesce(new.error_count, substring(new.summary from ', with (\d+) errors?$')::integer, 0);
    new.unlisted_count := coalesce(
      (select substring(line from '^Too many problems to list: (\d+) of')::integer
       from jsonb_array_elements_text(new.logs) as lines (line) where line like 'Too many problems to list: %' limit 1), 0);
  -- An earlier version publishes a deployment that was held.
  elsif new.outcome = 'held' and new.held_errors is null then
    new.outcome := 'live';
  end if;
  return new;
end $$;
create trigger set_outcome before insert or update of status, held_errors on deployments for each row execute function set_outcome();

update deployments set status = status where status = 'success';

-- Whether the last attempt of the job failed because a disk was full.
alter table jobs add column is_disk_full boolean not null default false;
