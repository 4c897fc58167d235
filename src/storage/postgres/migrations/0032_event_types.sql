-- Two event types more, and the settings of one of them.
alter table watch_sets
  drop constraint watch_sets_event_type_check,
  add constraint watch_sets_event_type_check
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  add column spike_min_reviews integer,
  add column spike_factor double precision;
alter table watches
  drop constraint watches_event_type_check,
  add constraint watches_event_type_check
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  add column spike_min_reviews integer,
  add column spike_factor double precision;
alter table occurrences
  drop constraint occurrences_event_type_check,
  add constraint occurrences_event_type_check
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered'));
