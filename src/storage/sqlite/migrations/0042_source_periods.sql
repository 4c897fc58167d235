-- An occurrence of the public pages from between two uses of an official source is compared with the reviews of the first one only.
alter table review_sources add column first_public_seq integer; -- public_seq of the first change to the official source
update review_sources set first_public_seq = public_seq;
alter table official_seen add column public_seq integer not null default 0; -- that of the source when it was first shown
update official_seen set public_seq = coalesce((select s.public_seq from review_sources s where s.id = source_id), 0);
