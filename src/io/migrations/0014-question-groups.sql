-- What editors decided about groups of unanswered questions. A group without a row is open and unassigned.
create table question_groups (
  project_id text not null references projects (id) on delete cascade,
  question_key text not null,
  organization_id text not null references organizations (id) on delete cascade,
  status text not null check (status in ('open', 'ignored', 'resolved')),
  assignee_id text,
  -- Path of the page that answers the questions.
  answer_path text,
  -- ULID of the decision. Messages with a greater ID were asked after the decision.
  decision_id text not null,
  primary key (project_id, question_key),
  foreign key (organization_id, assignee_id) references memberships (organization_id, user_id) on delete set null (assignee_id)
);

create index question_groups_by_assignee on question_groups (organization_id, assignee_id);
