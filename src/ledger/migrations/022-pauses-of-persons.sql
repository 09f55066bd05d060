-- A pause that the service asked for goes on behind the pause of a person, who may resume the account earlier.
alter table account_states add column pause_beneath jsonb;
comment on column account_states.pause_beneath is
  'The pause that a person''s pause covers, with until, code, reason, since and pauses; it goes on when the person resumes the account. Null: none.';
