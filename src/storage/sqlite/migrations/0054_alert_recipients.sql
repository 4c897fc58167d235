-- Old processes may keep running: during the update they still mail somebody who unsubscribes meanwhile.
alter table alert_settings add column unsubscribed text;
alter table alerts add column accepted_by text;
