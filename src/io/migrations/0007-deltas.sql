-- What leads from the export before to this one. Null: there was none, or fetching the whole bundle is as good.
alter table static_export_jobs add column delta_key text;
alter table static_export_jobs add column delta_bytes bigint;
