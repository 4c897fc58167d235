-- Imports of the history of an official source: one per source, page by page.
create table review_histories (
  source_id integer primary key, -- of review_sources
  state text not null check (state in ('running', 'done', 'stopped', 'failed')),
  started_at integer not null,
  updated_at integer not null,
  next_at integer, -- null: not running
  lease text,
  page_cursor text, -- null: the first page
  reviews integer not null default 0,
  added integer not null default 0,
  known integer not null default 0,
  ratings_only integer not null default 0,
  malformed integer not null default 0,
  progress_done integer,
  progress_total integer,
  failures integer not null default 0,
  problem text
) strict;
create index review_histories_due on review_histories (next_at) where next_at is not null;
