-- How the events of a hook are sent: the signed event itself (webhook), or a message of a chat service or mail.
alter table hooks add column target_type text not null default 'webhook';
-- The sealed settings of the message, as JSON; null for a webhook. target_url is then what may be shown of them.
alter table hooks add column target_settings text;
