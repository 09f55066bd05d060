-- Both say something about an account's service that its configuration does not know yet; `status` shows it.
alter table account_states
  add column read_lag_ms int,
  add column items_unreadable_since timestamptz;
comment on column account_states.read_lag_ms is
  'How long after it was answered something that we made could not be read yet, at most so far; null: never noticed.';
comment on column account_states.items_unreadable_since is
  'Since when the service has shown orders without readable items, so that quantities cannot be compared; null: it shows them.';
