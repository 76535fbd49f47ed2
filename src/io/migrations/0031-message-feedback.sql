-- Feedback belongs to a message, which earlier versions called a turn.
alter table turn_feedback rename to message_feedback;
alter table message_feedback rename column turn_id to message_id;
alter index turn_feedback_pkey rename to message_feedback_pkey;
alter table message_feedback rename constraint turn_feedback_project_id_turn_id_fkey to message_feedback_project_id_message_id_fkey;

-- For processes of earlier versions, which can still run during an upgrade, and for restoring their backups.
create view turn_feedback as select project_id, message_id as turn_id, helpful, comment, at from message_feedback;
