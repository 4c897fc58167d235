-- Old processes may keep running; they count attempts on their own. Attempts to guess a secret, for all nodes.
create table attempt_limits (
  slot integer primary key, -- from 0 to 131,071: a hash of what is limited
  arrival_at_ms double precision not null -- the theoretical arrival time of the rate limit (GCRA)
);
