create index audit_log_by_time on audit_log (organization_id, at);
