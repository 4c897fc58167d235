-- Old processes may keep running, but store erased reviews again.
create table erased_reviews (
  fingerprint bytea primary key
);
