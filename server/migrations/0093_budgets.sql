-- What recipients, users, organizations and instances have used of their messages, and sources of their guesses. In rows, because a
-- restart must not begin anew and because nodes share it.
create table budgets (
  instance_id text not null,
  -- Name of the budget, with what else distinguishes it (channel, period).
  budget text not null,
  -- Whose it is: an id, or the hash of an address or a number.
  subject text not null,
  -- When all of it will be there again (GCRA); after that the row means nothing.
  restored_at bigint not null,
  primary key (instance_id, budget, subject)
);
create index budgets_by_end on budgets (restored_at);
