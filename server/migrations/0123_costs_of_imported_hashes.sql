-- What checking the costliest imported password hash of an instance takes, in steps of milliseconds; absent without such
-- hashes. Refused sign-ins take as long, or their time would tell which names are those of imported users.
create table imported_hash_costs (
  instance_id text primary key not null,
  milliseconds bigint not null,
  raised_at bigint not null
);

-- Finds whether any is left. The prefix is that of our own hashes.
create index users_with_imported_hash on users (instance_id)
  where password_hash is not null and substr(password_hash, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$';

-- The most that an import may cost today; costlier ones of earlier versions raise it when they are next checked.
insert into imported_hash_costs (instance_id, milliseconds, raised_at)
  select distinct instance_id, 800, 0 from users
  where password_hash is not null and substr(password_hash, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$';
