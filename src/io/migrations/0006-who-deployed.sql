-- In whose name a deployment was asked for, as the audit log has it. Null: before this was kept.
alter table deployments add column actor text;
