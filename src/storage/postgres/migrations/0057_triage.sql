-- Old processes may keep running, but a removed member stays assigned.
create table triage (
  review_seq bigint not null references reviews (seq) on delete cascade,
  account_id text not null references accounts (id),
  status text not null check (status in ('new', 'seen', 'done')),
  assignee text, -- of auth_users, a member
  tags text not null, -- JSON: a list of texts
  notes text not null, -- JSON: a list of texts with their author and time
  primary key (review_seq, account_id)
);
create index triage_account on triage (account_id, status, assignee);
