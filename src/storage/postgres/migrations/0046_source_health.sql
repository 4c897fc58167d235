-- Old processes may keep running. The health of each store's sources.
create table source_health (
  store text not null check (store in ('apple', 'google')),
  source text not null,
  state text not null check (state in ('healthy', 'degraded', 'off', 'unproven')),
  fault text check (fault in ('empty', 'unsorted', 'frozen', 'changed', 'blocked', 'delayed')),
  since bigint not null, -- of the state and the fault
  suspected text check (suspected in ('empty', 'unsorted', 'frozen', 'changed', 'blocked')), -- of the last apps in a row
  suspect_apps text not null, -- these apps, a JSON list
  probe_at bigint, -- when a poll may ask it first again; null: as usual
  probes integer not null, -- since the fault was confirmed; each doubles the wait
  answers double precision not null, -- counts of the last days, in which older ones count less, like the next three
  empty_answers double precision not null,
  unsorted_answers double precision not null,
  blocked_answers double precision not null,
  counted_at bigint not null,
  newest_at bigint, -- the date of the newest review that it showed of any app
  overlap double precision, -- the share of its reviews that other sources showed in the last reference check
  checked_at bigint, -- of the last reference check
  primary key (store, source)
);
