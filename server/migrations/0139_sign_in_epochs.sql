-- How often the sign-ins of the user that were under way were ended, all at once: those that began before go no further.
alter table users add column sign_in_epoch bigint not null default 0;
-- That count when the attempt established who the user is; null before. Attempts of this moment begin again.
alter table sign_ins add column sign_in_epoch bigint;
delete from sign_ins;
