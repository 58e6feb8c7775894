-- What the administrator who set a text held then: it is sent to users who administer no more. The author of earlier
-- texts is not known, so they count as the work of an administrator of nothing.
alter table message_texts add column author text not null default '[]';
