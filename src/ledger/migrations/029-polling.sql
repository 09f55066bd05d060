-- beside: 027
-- Fresh orders are asked for with every poll, older ones less often, and long ranges in parts that the service answers.
create table poll_ages (
  account text not null,
  older_than_days integer not null check (older_than_days > 0),
  asked_at timestamptz not null,
  primary key (account, older_than_days)
);
comment on table poll_ages is 'When the orders of an account that are older than so many days were last asked for; without a row they are due.';
comment on column poll_ages.older_than_days is 'The age as in schedule.pollOlder.';

alter table account_states
  add column longest_range_days integer check (longest_range_days > 0),
  add column range_learned_at timestamptz;
comment on column account_states.longest_range_days is 'The longest range of days that the service has answered, after it did not answer a longer one; null: it has answered every range.';
comment on column account_states.range_learned_at is 'When longest_range_days was learned; a longer range is tried an hour later.';
