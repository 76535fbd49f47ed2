-- Background jobs. A finished job is deleted; its result is in the row of its feature.
create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  payload jsonb not null,
  organization_id text not null,
  -- Negative number of the organization's jobs of this name that were waiting when the job was created.
  priority integer not null,
  run_at timestamptz not null default now(),
  -- Number of times that a worker has taken the job, and number of times that the job has failed or its worker has died.
  attempt integer not null default 0,
  faults integer not null default 0,
  -- Error message of the last fault.
  message text not null default '',
  -- Time at which the worker that runs the job last renewed its lease. Null: the job is waiting.
  leased_at timestamptz
);

create index jobs_waiting on jobs (name, organization_id, run_at) where leased_at is null;

-- Earlier versions had their jobs in the tables of pg-boss. A running process of such a version must fail to create a job,
-- because no worker would run it.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    lock table pgboss.job, job_leases in access exclusive mode;
    insert into jobs (name, payload, organization_id, priority, run_at, attempt, faults, message, leased_at)
    select
      job.name,
      case job.name
        when 'deploy' then jsonb_build_object('deploymentId', job.data ->> 'id')
        when 'static-export' then jsonb_build_object('exportId', job.data ->> 'id')
        else jsonb_build_object('projectId', split_part(job.data ->> 'id', ' ', 1), 'messageId', split_part(job.data ->> 'id', ' ', 2))
      end,
      job.data ->> 'organizationId',
      job.priority,
      job.start_after,
      case when job.started_on is null then 0 else job.retry_count + 1 end,
      coalesce((job.output ->> 'faults')::integer, 0),
      coalesce(job.output ->> 'message', ''),
      case job.state when 'active' then coalesce(job_leases.beat_at, now()) end
    from pgboss.job
    left join job_leases on job_leases.job_id = job.id::text
    where job.name in ('deploy', 'static-export', 'categorize') and job.state in ('created', 'retry', 'active')
    order by job.created_on, job.id;
    drop schema pgboss cascade;
  end if;
end
$$;

drop table job_leases;
