-- How a preview differs from the site that was live when it was built (PreviewComparison).
alter table deployments add column comparison jsonb;
