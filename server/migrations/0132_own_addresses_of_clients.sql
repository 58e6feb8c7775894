-- Whether a client that was registered with a token has named an address of its own since, which Doorward asks: then its
-- addresses are no longer those that its registrar named. Of earlier changes it is not known.
alter table registrations add column has_own_addresses integer not null default 0;
