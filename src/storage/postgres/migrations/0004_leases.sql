-- A claim no longer moves due_at to the end of its lease, which rewrote the queue's index twice for each delivery: the end
-- of the lease stands beside it, in no index.
alter table deliveries rename column claimed_due_at to leased_until;
update deliveries set due_at = leased_until, leased_until = due_at where leased_until is not null;
-- Room for the version a lease writes: beside its row, a change that touches no index leaves the indexes alone.
alter table deliveries set (fillfactor = 70);
