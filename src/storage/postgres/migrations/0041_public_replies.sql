-- The answer of the developer that the public page showed last; null for none, and where the source shows no answers.
alter table reviews add column reply_text text;
alter table reviews add column reply_at bigint; -- null: the page showed no date
