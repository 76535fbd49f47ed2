-- Lists of deployments show whether a build found errors, without reading its problems.
alter table deployments add column has_errors boolean not null default false;

-- Builds limit the problems that they return. This also applies to earlier deployments, and to those of restored backups.
create function limit_problems() returns trigger language plpgsql as $$
begin
  if octet_length(new.problems::text) > 2000000 then
    new.problems := (
      select coalesce(jsonb_agg(problem order by position), '[]')
      from (
        select position,
          jsonb_object_agg(key, case jsonb_typeof(value) when 'string' then to_jsonb(left(value #>> '{}', 500)) else value end) as problem
        from jsonb_array_elements(new.problems) with ordinality as problems (entry, position), jsonb_each(entry)
        where position <= 400
        group by position
      ) as limited);
  end if;
  new.has_errors := new.problems @> '[{"severity": "error"}]';
  return new;
end $$;
create trigger limit_problems before insert or update of problems on deployments for each row execute function limit_problems();

update deployments set problems = problems where problems <> '[]';
