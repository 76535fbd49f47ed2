-- A deployment with errors that the live site doesn't have is held: built, but not live.
alter table deployments
  -- Number of errors that the live site didn't have. Null unless the deployment is held.
  add column held_errors integer,
  -- Number of all errors, including those that aren't in `problems`. Null for deployments of earlier versions.
  add column error_count integer,
  -- Whether the requester chose to publish the deployment with new errors.
  add column publish_with_errors boolean;

-- Null, the default: deployments with new errors are held. True: deployments with errors go live. False: they fail.
alter table projects alter column publish_with_errors drop not null, alter column publish_with_errors drop default;
update projects set publish_with_errors = null where publish_with_errors;
