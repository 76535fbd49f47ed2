-- The version in the bundle's manifest: the label of the export, or one made from its content. Null until the bundle is there.
alter table static_export_jobs add column bundle_version text;
