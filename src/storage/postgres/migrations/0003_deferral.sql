-- Deliveries expire only behind an open breaker. A rate limit also moves not_before but expires none, and a pause costs no time.
alter table lanes add column deferred_until bigint;
alter table lanes add column released_at bigint;
drop index lanes_waiting;
create index lanes_deferred on lanes (deferred_until) where state = 'open' and deferred_until is not null;
