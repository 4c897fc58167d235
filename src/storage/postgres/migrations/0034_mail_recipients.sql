-- The recipients of a mail destination who unsubscribed, as JSON: ids that are hashes of the address, and instants; null for none.
alter table hooks add column unsubscribed text;
-- The recipients that accepted the mail of a delivery while others failed, as JSON; null for none.
alter table deliveries add column accepted_by text;
