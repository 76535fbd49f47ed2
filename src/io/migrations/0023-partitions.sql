-- Splits large tables into partitions by time, so that indexes stay small and expired rows are dropped with their partition. The existing
-- rows become the first partition without being copied. Workers create the partitions for later periods (service/core/partitions.ts).
-- The default partition has the rows of periods without a partition, such as imported messages with a time in the future.

-- Time of a ULID, see ulid_day. Inverse function: the first ULID of a day, numbered from 1970-01-01 in UTC.
create function first_ulid(day integer) returns text language plpgsql immutable strict parallel safe as $$
declare
  ms bigint := day * 86400000::bigint;
  id text := '';
begin
  for place in 1..10 loop
    id := substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms % 32)::integer + 1, 1) || id;
    ms := ms / 32;
  end loop;
  return rpad(id, 26, '0');
end $$;

-- Turns a table into partitions by the range of a column. `upper_bound`: end of the first partition, exclusive, as an SQL literal.
create function partition_table(name text, range_column text, upper_bound text) returns void language plpgsql as $$
declare
  first_partition text := name || '_first';
  part record;
  moved text;
begin
  execute format('alter table %I rename to %I', name, first_partition);
  execute format('create table %I (like %I including defaults including constraints) partition by range (%I)', name, first_partition, range_column);
  for part in
    select conname as part_name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = first_partition::regclass and contype in ('p', 'f')
  loop
    execute format('alter table %I rename constraint %I to %I', first_partition, part.part_name, replace(part.part_name, name, first_partition));
    execute format('alter table %I add constraint %I %s', name, part.part_name, part.definition);
  end loop;
  for part in
    select relname as part_name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = first_partition::regclass and not indisprimary
  loop
    execute format('alter index %I rename to %I', part.part_name, replace(part.part_name, name, first_partition));
    execute regexp_replace(part.definition, ' ON \S+ USING ', format(' ON %I USING ', name));
  end loop;
  execute format('create table %I partition of %I default', name || '_default', name);
  moved := format('delete from %I where %I >= %s returning *', first_partition, range_column, upper_bound);
  execute format('with moved as (%s) insert into %I select * from moved', moved, name || '_default');
  execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', name, first_partition, upper_bound);
end $$;

alter table turn_feedback drop constraint turn_feedback_project_id_turn_id_fkey;
drop trigger conversations_came on conversations;
drop trigger conversations_changed on conversations;
drop trigger conversations_gone on conversations;

-- Each first partition ends with the current period: 64 days for messages, 256 days for counts, and one day for visitors.
do $$
declare
  today integer := floor(extract(epoch from now()) / 86400);
begin
  perform partition_table('conversations', 'id', quote_literal(first_ulid((today / 64 + 1) * 64)));
  perform partition_table('page_traffic', 'first_day', ((today / 256 + 1) * 256)::text);
  perform partition_table('search_queries', 'first_day', ((today / 256 + 1) * 256)::text);
  perform partition_table('search_clicks', 'first_day', ((today / 256 + 1) * 256)::text);
  perform partition_table('visitor_marks', 'day', (today + 1)::text);
end $$;

drop function partition_table;
drop function first_ulid;

alter table turn_feedback add foreign key (project_id, turn_id) references conversations (project_id, id) on delete cascade;

create trigger conversations_came after insert on conversations
  referencing new table as came for each statement execute function count_conversations();
create trigger conversations_changed after update on conversations
  referencing old table as gone new table as came for each statement execute function count_conversations();
create trigger conversations_gone after delete on conversations
  referencing old table as gone for each statement execute function count_conversations();
