-- What an account's service has shown and its configuration does not say; `status` shows it.
alter table account_states
  add column paused_since timestamptz,
  add column read_lag_ms int,
  add column items_unreadable_since timestamptz;
comment on column account_states.paused_since is
  'When the first of the pauses began after which no call has succeeded; null: calls succeed.';
comment on column account_states.read_lag_ms is
  'How long after it was answered something that we made could not be read yet, at most so far; null: never noticed.';
comment on column account_states.items_unreadable_since is
  'Since when the service has shown orders without readable items, so that quantities cannot be compared; null: it shows them.';
