-- Old processes must stop first: they take a user for a member of one account. A user can belong to several accounts.
create table new_members (
  user_id text not null, -- of auth_users
  account_id text not null references accounts (id),
  role text not null check (role in ('owner', 'member')),
  operator integer not null, -- 1: also sees the whole installation
  created_at integer not null,
  primary key (user_id, account_id)
) strict, without rowid;
insert into new_members (user_id, account_id, role, operator, created_at)
  select user_id, account_id, role, operator, created_at from members;
drop table members;
alter table new_members rename to members;
create index members_account on members (account_id, created_at);
