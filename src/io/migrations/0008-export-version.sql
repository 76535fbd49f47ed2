-- The version in the bundle's manifest: the label of the export, or a version generated from its content. Null until the bundle exists.
alter table static_export_jobs add column bundle_version text;
