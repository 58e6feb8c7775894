-- Lists of users cost the same however many there are: an index in each order, counts kept with the rows, and words by their trigrams.
-- Text is in the order of its letters without case, each by itself (`base/fold-case.ts`): lower() alone minds the end of words. It stands here
-- in words that every SQLite knows, so that other programs can read the database.

-- All rows have a sequence. Only lists say so, and only they find the indexes that are in the order of lists: an engine without statistics
-- would take any of them for any statement.
drop index users_by_login_name;
drop index users_by_display_name;
create index users_by_display_name on users (instance_id, replace(lower(display_name), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_folded_username on users (instance_id, replace(lower(username), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_given_name on users (instance_id, replace(lower(coalesce(given_name, '')), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_family_name on users (instance_id, replace(lower(coalesce(family_name, '')), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_nick_name on users (instance_id, replace(lower(coalesce(nick_name, '')), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_folded_email on users (instance_id, replace(lower(coalesce(email, '')), 'ς', 'σ'), user_id) where sequence > 0;
create index users_by_state on users (instance_id, state, user_id) where sequence > 0;
create index users_by_kind on users (instance_id, kind, user_id) where sequence > 0;

create index metadata_by_key on metadata (instance_id, owner_type, metadata_key, owner_id);
-- Values may be long; what equals begins alike.
create index metadata_by_value on metadata (instance_id, owner_type, substr(metadata_value, 1, 100), owner_id);

create index organization_domains_secondary on organization_domains (instance_id, domain, organization_id)
  where is_verified = 1 and is_primary = 0;

-- How many users there are of each kind and state: in an organization, and in all (where the organization is empty).
create table user_counts (
  instance_id text not null,
  organization_id text not null,
  kind text not null,
  state text not null,
  -- On PostgreSQL there are several rows of the same, and their sum counts: who adds users waits for nobody. A job puts them together.
  amount bigint not null
-- engine: sqlite
  , primary key (instance_id, organization_id, kind, state)
-- engine: both
);
-- engine: postgres
create index user_counts_by_organization on user_counts (instance_id, organization_id);
-- engine: both
insert into user_counts (instance_id, organization_id, kind, state, amount)
  select instance_id, organization_id, kind, state, count(*) from users group by instance_id, organization_id, kind, state
  union all select instance_id, '', kind, state, count(*) from users group by instance_id, kind, state;

-- engine: sqlite
create trigger users_counted after insert on users begin
  insert into user_counts values (new.instance_id, new.organization_id, new.kind, new.state, 1), (new.instance_id, '', new.kind, new.state, 1)
    on conflict do update set amount = amount + 1;
end;
create trigger users_counted_off after delete on users begin
  update user_counts set amount = amount - 1 where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and kind = old.kind and state = old.state;
  delete from user_counts where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and kind = old.kind and state = old.state and amount = 0;
end;
create trigger users_counted_anew after update of organization_id, kind, state on users
  when old.organization_id <> new.organization_id or old.kind <> new.kind or old.state <> new.state
begin
  update user_counts set amount = amount - 1 where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and kind = old.kind and state = old.state;
  delete from user_counts where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and kind = old.kind and state = old.state and amount = 0;
  insert into user_counts values (new.instance_id, new.organization_id, new.kind, new.state, 1), (new.instance_id, '', new.kind, new.state, 1)
    on conflict do update set amount = amount + 1;
end;

-- The trigrams of all that a user is searched by; which of the fields has the text, the row says. A number of its own, because a vacuum
-- may give rows others.
alter table users add column search_number integer;
update users set search_number = rowid;
create unique index users_by_search_number on users (search_number);
create virtual table user_words using fts5(words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
insert into user_words (rowid, words)
  select search_number, replace(lower(preferred_login_name || char(10) || username || char(10) || display_name || char(10)
    || coalesce(given_name, '') || char(10) || coalesce(family_name, '') || char(10) || coalesce(nick_name, '') || char(10)
    || coalesce(email, '') || char(10) || coalesce(phone, '')), 'ς', 'σ') from users;
create trigger users_worded after insert on users begin
  update users set search_number = (select coalesce(max(search_number), 0) + 1 from users) where rowid = new.rowid;
  insert into user_words (rowid, words) select search_number, replace(lower(preferred_login_name || char(10) || username || char(10)
    || display_name || char(10) || coalesce(given_name, '') || char(10) || coalesce(family_name, '') || char(10) || coalesce(nick_name, '')
    || char(10) || coalesce(email, '') || char(10) || coalesce(phone, '')), 'ς', 'σ') from users where rowid = new.rowid;
end;
create trigger users_worded_off after delete on users begin
  delete from user_words where rowid = old.search_number;
end;
create trigger users_worded_anew
  after update of preferred_login_name, username, display_name, given_name, family_name, nick_name, email, phone on users
begin
  update user_words set words = replace(lower(new.preferred_login_name || char(10) || new.username || char(10) || new.display_name || char(10)
    || coalesce(new.given_name, '') || char(10) || coalesce(new.family_name, '') || char(10) || coalesce(new.nick_name, '') || char(10)
    || coalesce(new.email, '') || char(10) || coalesce(new.phone, '')), 'ς', 'σ') where rowid = new.search_number;
end;

-- engine: postgres
create function doorward_count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into user_counts
      select instance_id, organization_id, kind, state, count(*) from changed group by instance_id, organization_id, kind, state
      union all select instance_id, '', kind, state, count(*) from changed group by instance_id, kind, state;
  elsif tg_op = 'DELETE' then
    insert into user_counts
      select instance_id, organization_id, kind, state, -count(*) from changed group by instance_id, organization_id, kind, state
      union all select instance_id, '', kind, state, -count(*) from changed group by instance_id, kind, state;
  else
    insert into user_counts values
      (old.instance_id, old.organization_id, old.kind, old.state, -1), (old.instance_id, '', old.kind, old.state, -1),
      (new.instance_id, new.organization_id, new.kind, new.state, 1), (new.instance_id, '', new.kind, new.state, 1);
  end if;
  return null;
end $$;
create trigger users_counted after insert on users referencing new table as changed
  for each statement execute function doorward_count_users();
create trigger users_counted_off after delete on users referencing old table as changed
  for each statement execute function doorward_count_users();
create trigger users_counted_anew after update of organization_id, kind, state on users
  for each row when (old.organization_id <> new.organization_id or old.kind <> new.kind or old.state <> new.state)
  execute function doorward_count_users();

-- Where the extension is not to be had, searches inside of texts read all users; `doorward doctor` says so.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_by_words on users using gin (replace(doorward_lower(preferred_login_name || ' ' || username || ' ' || display_name || ' '
    || coalesce(given_name, '') || ' ' || coalesce(family_name, '') || ' ' || coalesce(nick_name, '') || ' ' || coalesce(email, '') || ' '
    || coalesce(phone, '')), 'ς', 'σ') gin_trgm_ops) with (gin_pending_list_limit = 512);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'without pg_trgm, searches inside of texts read all users';
end $$;
-- engine: both
