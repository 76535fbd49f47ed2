-- Bytes that the organization's deployments, uploads and exports use in the object store. The sweeper measures them, and writes in between add to them.
-- Null in rows of earlier backups until they are measured.
alter table organizations add column stored_bytes bigint default 0;
