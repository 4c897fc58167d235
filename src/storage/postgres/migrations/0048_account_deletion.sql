-- Old processes may keep running. Accounts that are being deleted.
alter table accounts add column deleted_at bigint;
