-- Old processes may keep running: their tests show invented reviews.
create index audit_entries_replies on audit_entries (target) where substr(action, 1, 6) in ('reply.', 'review');
alter table tests add column review_seq integer references reviews (seq) on delete cascade;
create index tests_review on tests (review_seq) where review_seq is not null;
