-- Delta from the previous export to this one. Null: there is no previous export, or the delta would be too large.
alter table static_export_jobs add column delta_key text;
alter table static_export_jobs add column delta_bytes bigint;
