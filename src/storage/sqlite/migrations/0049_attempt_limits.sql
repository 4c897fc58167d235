-- Old processes must stop first. Attempts to guess a secret, for all nodes, instead of those that the sign-in library counted.
drop table if exists auth_rate_limits;
create table attempt_limits (
  slot integer primary key, -- from 0 to 131,071: a hash of what is limited
  arrival_at_ms real not null -- the theoretical arrival time of the rate limit (GCRA)
) strict;
