-- What an instance (organization_id empty) or an organization says in a message instead of what it would inherit.
-- The sequence is the one that the instance or the organization had after the words were written.
create table message_texts (
  instance_id text not null,
  organization_id text not null,
  kind text not null,
  language text not null,
  -- The parts that differ, JSON.
  parts text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id, kind, language)
);
