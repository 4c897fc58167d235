-- Whether members of the account who sign in with a password need a second factor.
alter table accounts add column requires_second_factor integer not null default 0;
