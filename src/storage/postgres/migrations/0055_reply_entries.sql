-- Old processes may keep running.
create index audit_entries_replies on audit_entries (target) where action >= 'reply.' and action < 'reply/';
