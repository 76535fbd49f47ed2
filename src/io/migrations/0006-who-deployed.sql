-- The actor who created the deployment, as in the audit log. Null for deployments from before this migration.
alter table deployments add column actor text;
