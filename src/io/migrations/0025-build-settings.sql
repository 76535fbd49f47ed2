-- Whether deployments with errors are published. If not, they fail.
alter table projects add publish_with_errors boolean not null default true;
