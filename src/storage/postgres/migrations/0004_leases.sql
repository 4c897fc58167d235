-- A claim no longer moves due_at to the end of its lease, which rewrote the queue's index twice for each delivery. The end of the
-- lease is in its own column, in no index.
alter table deliveries rename column claimed_due_at to leased_until;
update deliveries set due_at = leased_until, leased_until = due_at where leased_until is not null;
-- Free space for the version that a lease writes: an update that changes no index stays on the same page (HOT).
alter table deliveries set (fillfactor = 70);
