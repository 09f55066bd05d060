-- Who may use the console and its API, and what they did.
create table console_users (
  id bigint generated always as identity primary key,
  name text not null,
  password text,
  subject text unique,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  accounts text[],
  created_at timestamptz not null default now(),
  created_by text not null,
  signed_in_at timestamptz,
  check (role <> 'admin' or accounts is null)
);
create unique index console_users_by_name on console_users (lower(name));
comment on table console_users is 'The people who may sign in to the console.';
comment on column console_users.password is
  'The scrypt hash with its parameters and salt; null: the user signs in with OpenID Connect only.';
comment on column console_users.subject is 'The issuer and subject of OpenID Connect; null: the user has a password.';
comment on column console_users.accounts is 'The accounts that the user may see and change; null: all of them, as for every admin.';

create table console_sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  user_id bigint not null references console_users (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  ends_at timestamptz not null,
  address text not null,
  browser text not null
);
create index console_sessions_by_user on console_sessions (user_id);
comment on table console_sessions is 'Browsers that are signed in. A row is deleted when its session ends.';
comment on column console_sessions.token_hash is 'sha-256 of the token in the browser''s cookie.';
comment on column console_sessions.used_at is 'The last request, to the minute: a session that is not used ends.';
comment on column console_sessions.ends_at is 'When the session ends although it is used.';

create table console_tokens (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null unique,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  accounts text[],
  created_at timestamptz not null default now(),
  created_by text not null,
  used_at timestamptz,
  ends_at timestamptz,
  check (role <> 'admin' or accounts is null)
);
comment on table console_tokens is 'Tokens of programs that use the console''s API. A row is deleted when its token is revoked.';
comment on column console_tokens.token_hash is 'sha-256 of the token, which is shown only once.';
comment on column console_tokens.accounts is 'The accounts that the token may see and change; null: all of them.';
comment on column console_tokens.used_at is 'The last request, to the minute.';

create table console_sign_ins (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
comment on table console_sign_ins is
  'Recent failed sign-ins by user name and by address, which limit further ones. Its columns are those of rate-limiter-flexible.';

alter table operator_actions
  add column via text,
  add column detail jsonb;
comment on table operator_actions is 'Who did what, and when: decisions about POs, sign-ins, and changes of users and tokens.';
comment on column operator_actions.via is 'console, api or command line; null: written by an earlier version, on the command line.';
comment on column operator_actions.detail is 'What the action was about, where it was not a PO or an import; null: nothing more.';
