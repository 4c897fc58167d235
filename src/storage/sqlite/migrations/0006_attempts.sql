-- An attempt is written once and read as a whole: one text is cheaper than seventeen columns. Tests of a hook are in a separate
-- table, so that an attempt needs no account and hook columns.
create table tests (
  seq integer primary key autoincrement,
  hook_id text not null,
  account_id text not null,
  record text not null, -- JSON, like that of an attempt
  body text not null
) strict;
create table attempts_now (
  seq integer primary key autoincrement,
  delivery_seq integer not null,
  record text not null -- JSON; signatures are masked
) strict;
insert into attempts_now (seq, delivery_seq, record)
  select seq, coalesce(delivery_seq, 0), json_object('number', number, 'startedAtMs', started_at, 'timings',
    json_object('dnsMs', dns_ms, 'connectMs', connect_ms, 'tlsMs', tls_ms, 'firstByteMs', first_byte_ms, 'totalMs', total_ms),
    'url', url, 'requestHeaders', json(request_headers), 'httpStatus', http_status, 'reason', reason, 'detail', detail,
    'remoteAddress', remote_address, 'responseHeaders', json(response_headers), 'responseBody', response_body,
    'responseTruncated', json(iif(response_truncated, 'true', 'false')), 'replayId', replay_id)
  from attempts;
insert into tests (seq, hook_id, account_id, record, body)
  select a.seq, a.hook_id, a.account_id, n.record, a.test_body from attempts a join attempts_now n using (seq)
  where a.delivery_seq is null;
delete from attempts_now where delivery_seq = 0;
drop table attempts;
alter table attempts_now rename to attempts;
create index attempts_delivery on attempts (delivery_seq);
create index tests_hook on tests (hook_id, seq);
