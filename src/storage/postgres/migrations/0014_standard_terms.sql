-- Renames columns and a table to the names in code, API and documentation.
alter table lanes rename column turn_at to next_claim_at;
alter table deliveries rename column give_up_at to expires_at;
alter table apps rename column told_at to updated_at;
alter table feeds rename column fallback_why to fallback_reason;
alter table quarantined_rows rename column why to reason;
alter table follows rename to tracked_storefronts;
