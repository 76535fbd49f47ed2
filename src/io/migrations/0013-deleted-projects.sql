-- Deleted projects. Hosts read them to stop serving their sites. Rows are deleted after a day.
create table deleted_projects (
  id text primary key,
  deleted_at timestamptz not null default clock_timestamp()
);

create index deleted_projects_by_time on deleted_projects (deleted_at);

create function log_deleted_project() returns trigger language plpgsql as $$
begin
  insert into deleted_projects (id) values (old.id) on conflict (id) do update set deleted_at = excluded.deleted_at;
  return null;
end
$$;

create trigger log_deleted_project after delete on projects for each row execute function log_deleted_project();
