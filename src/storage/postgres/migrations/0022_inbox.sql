-- At most one inbox per account.
create unique index hooks_inbox on hooks (account_id) where target_url = 'inbox:' and deleted_at is null;
