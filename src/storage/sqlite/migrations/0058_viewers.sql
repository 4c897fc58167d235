-- Old processes must stop first: they take a viewer for a member, who may change the account.
create table new_members (
  user_id text not null, -- of auth_users
  account_id text not null references accounts (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  operator integer not null, -- 1: also sees the whole installation
  created_at integer not null,
  primary key (user_id, account_id)
) strict, without rowid;
insert into new_members (user_id, account_id, role, operator, created_at)
  select user_id, account_id, role, operator, created_at from members;
drop table members;
alter table new_members rename to members;
create index members_account on members (account_id, created_at);
create table new_invitations (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  sha256 blob not null unique, -- of the token in the link, which is not stored
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  inviter text -- the name of the user, at that time; null: invited by an earlier version
) strict;
insert into new_invitations (id, account_id, email, role, sha256, created_at, expires_at, accepted_at)
  select id, account_id, email, role, sha256, created_at, expires_at, accepted_at from invitations;
drop table invitations;
alter table new_invitations rename to invitations;
create index invitations_account on invitations (account_id, created_at);
