-- Sign-ins that administrators prepared to try an application: what was asked, and then what became of it. No code and
-- no token is in them. They are forgotten with their result, or after ten minutes.
create table test_sign_ins (
  instance_id text not null,
  -- Random: it is the reference in `request_uri` as well.
  test_id text not null,
  application_id text not null,
  client_id text not null,
  -- The administrator, and the session whose browser alone may use the reference.
  user_id text not null,
  session_id text not null,
  -- The authorization request, JSON.
  parameters text not null,
  -- What was granted, or the error, JSON; null until the request is answered.
  answer text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (instance_id, test_id)
);
create index test_sign_ins_by_expiry on test_sign_ins (expires_at);
