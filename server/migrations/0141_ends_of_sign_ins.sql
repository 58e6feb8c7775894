-- When the sign-ins of the user that were under way were last ended: what a provider answered before ended with them. Null means never.
alter table users add column sign_ins_ended_at bigint;
