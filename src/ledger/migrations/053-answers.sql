-- beside: 027
alter table imports add column result_outcomes text;
comment on column imports.result_outcomes is
  'The outcomes of its POs, as a checksum, when its result was last written with an outcome for each; null: it never was.';
