-- What recipients, users, organizations and instances have used of their messages. In rows, because a restart must not begin anew
-- and because nodes share it.
create table message_budgets (
  instance_id text not null,
  -- Name of the budget, with the channel and the period.
  budget text not null,
  -- Whose it is: an id, or the hash of an address or a number.
  subject text not null,
  -- When all of it will be there again (GCRA); after that the row means nothing.
  restored_at bigint not null,
  primary key (instance_id, budget, subject)
);
create index message_budgets_by_end on message_budgets (restored_at);
