-- When the person went back to the application without signing in; the request is then answered with `access_denied`.
alter table auth_requests add column declined_at bigint;
