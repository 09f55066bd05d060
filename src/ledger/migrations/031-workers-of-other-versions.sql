-- beside: 027
-- During an upgrade, workers of the version before go on beside new ones.
alter table migrations add column beside text;
comment on column migrations.beside is 'Workers whose last migration has this number, or a later one, may go on when this one has been applied. Null: only workers that know this one.';

alter table workers add column knows text not null default '027';
comment on column workers.knows is 'The number of the last migration that the worker knows.';
