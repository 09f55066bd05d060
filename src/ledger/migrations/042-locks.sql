-- beside: 027
-- Locks were held by open transactions, and so kept a connection while a poll waited for its service. Workers of the version before still
-- use those; what runs under a lock is safe to run twice.
create table locks (
  name text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
comment on table locks is 'Work that one process does at a time: polls, the sweep, result files. A row is deleted when the work ends.';
comment on column locks.held_until is 'The end of the lock, unless its process renews it.';
