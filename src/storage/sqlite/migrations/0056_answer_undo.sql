-- Old processes must stop first: they send an answer before its time for an undo has passed, and leave it as one that can be undone.
-- An answer can wait for some seconds in which it can be undone, and belong to a batch; an answer knows the review that it answers.
alter table replies add column undo_until integer;
alter table replies add column undo_to text;
alter table replies add column batch_id text;
alter table replies add column answered_hash blob;
create index replies_batch on replies (batch_id) where batch_id is not null;
create index replies_changed on replies (account_id, updated_at);
create index replies_state on replies (account_id, state);
