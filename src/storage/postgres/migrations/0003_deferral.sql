-- Only an open breaker lets deliveries expire, not a rate limit, which also moves not_before; and a pause costs no time.
alter table lanes add column deferred_until bigint;
alter table lanes add column released_at bigint;
drop index lanes_waiting;
create index lanes_deferred on lanes (deferred_until) where state = 'open' and deferred_until is not null;
