-- Old processes must stop first: they take a user for a member of one account. A user can belong to several accounts.
alter table members drop constraint members_pkey;
alter table members add primary key (user_id, account_id);
