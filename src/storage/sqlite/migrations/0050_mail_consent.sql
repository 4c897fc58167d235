-- Old processes may keep running. Addresses that get alerts already count as confirmed.
alter table alert_settings add column unconfirmed text not null default '[]';
