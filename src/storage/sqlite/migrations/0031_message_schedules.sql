-- When a hook with messages may send, as JSON; null for at once. Its deliveries wait until then, and one message shows all that wait.
alter table hooks add column message_schedule text;
