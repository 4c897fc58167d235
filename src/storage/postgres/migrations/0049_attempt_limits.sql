-- Old processes must stop first. Attempts to guess a secret, for all nodes, instead of those that the sign-in library counted.
drop table if exists auth_rate_limits;
create table attempt_limits (
  name text not null, -- of the limit
  slot integer not null, -- from 0 to 262,143: a hash of what is limited
  arrival_at_ms double precision not null, -- the theoretical arrival time of the rate limit (GCRA)
  primary key (name, slot)
);
