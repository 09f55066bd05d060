-- Status reports say what has changed since the report before.
alter table account_states
  add column report_as_of timestamptz,
  add column report_since timestamptz;
comment on column account_states.report_as_of is 'Every change before this moment is in the last status report; null: an earlier version wrote it.';
comment on column account_states.report_since is 'Since when the last status report shows changes; null: it was the first one. The same report is written again with the same moment.';
create index status_changes_seen on status_changes using brin (seen_at) with (pages_per_range = 32, autosummarize = on);
create index orders_changed on orders using brin (changed_at) with (pages_per_range = 32, autosummarize = on);

-- The last run of each schedule, so that a missed one is noticed and people see what became of it.
create table schedule_runs (
  account text not null,
  task text not null check (task in ('poll', 'report', 'take_files')),
  known_since timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  result text check (result in ('done', 'failed', 'skipped')),
  note text,
  succeeded_at timestamptz,
  primary key (account, task)
);
comment on table schedule_runs is 'The last run of each task that an account has on a schedule: polling, the status report, picking up files.';
comment on column schedule_runs.known_since is 'Runs that were due before the schedule was known are not missed.';
comment on column schedule_runs.started_at is 'When the last run started, or when it was decided to skip one.';
comment on column schedule_runs.result is 'Null while it runs, and after its process ended in between.';
comment on column schedule_runs.note is 'Why it failed or was skipped, as a sentence.';

-- `cartwright reload` asks every worker to read its configuration again.
alter table ledger_identity add column reloads integer not null default 0;
comment on column ledger_identity.reloads is 'How often workers were asked to read their configuration again.';
alter table workers
  add column reloads integer not null default 0,
  add column reload_note text,
  add column reload_refused boolean not null default false;
comment on column workers.reloads is 'The last such request that it has answered.';
comment on column workers.reload_note is 'What it changed, or why it kept the configuration that it had.';
