-- What the organization's deployments, uploads and exports use in the object store. Measured by the sweeper, and added to in between.
-- Null in rows of earlier backups, until it is measured.
alter table organizations add column stored_bytes bigint default 0;
