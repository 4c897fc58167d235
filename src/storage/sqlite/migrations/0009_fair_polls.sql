-- The accounts that track a feed, with a copy of its due time: a claim takes the longest due feed of the next account without
-- reading the feeds of other accounts.
create table feed_accounts (
  feed_id integer not null,
  account_id text not null,
  store text not null,
  kind text not null,
  next_poll_at integer, -- as in feeds
  primary key (feed_id, account_id)
) strict, without rowid;
create index feed_accounts_due on feed_accounts (store, kind, account_id, next_poll_at, feed_id)
  where next_poll_at is not null;

-- Many statements change next_poll_at, and the copy must follow each of them.
create trigger feeds_next_poll_at after update of next_poll_at on feeds
when new.next_poll_at is not old.next_poll_at
begin
  update feed_accounts set next_poll_at = new.next_poll_at where feed_id = new.id;
end;

-- Each account's last claim, as a counter: the account with the lowest is next. Fresh feeds (never polled) and others alternate.
create table poll_turns (
  store text not null,
  kind text not null,
  fresh integer not null,
  account_id text not null,
  served integer not null default 0,
  primary key (store, kind, fresh, account_id)
) strict, without rowid;
create index poll_turns_served on poll_turns (store, kind, fresh, served, account_id);

-- Every account that tracks or watches an app gets all feeds of the app. Its next change of watches corrects the rows.
insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
  select distinct f.id, wanted.account_id, f.store, f.kind, f.next_poll_at
  from feeds f join (
    select w.account_id, w.store, w.app_id from watches w join hooks h on h.id = w.hook_id
    where h.status <> 'gone' and h.deleted_at is null
    union
    select account_id, store, app_id from follows) wanted using (store, app_id)
  where f.next_poll_at is not null;
insert into poll_turns (store, kind, fresh, account_id)
  select distinct store, kind, fresh, account_id from feed_accounts, (select 0 as fresh union all select 1);
