import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useAccounts } from '../data/zones.tsx';
import css from './FilterBar.module.css';
import { Icon } from './Icon.tsx';

type Search = Record<string, string | undefined>;

/** Changes the filters in the page's address; a new filter starts on the first page. */
export const useFilters = (search: Search) => {
  const navigate = useNavigate();
  return (changes: Search) =>
    navigate({
      to: '.',
      search: { ...search, ...changes, cursor: undefined } as never,
      replace: false,
      resetScroll: false,
    });
};

interface FilterBarProps {
  search: Search;
  /** Names of the search that are no filters. */
  others?: string[];
  children: ReactNode;
}

/** The filters of a list in one line; what is set can be cleared at once. */
export const FilterBar = ({ search, others = [], children }: FilterBarProps) => {
  const navigate = useNavigate();
  const isSet = Object.keys(search).some((name) => !['cursor', ...others].includes(name));
  const kept = Object.fromEntries(others.map((name) => [name, search[name]]));
  return (
    <search className={css.bar}>
      {children}
      {isSet ? (
        <Button
          variant="subtle"
          leftSection={<Icon name="cross" size={13} />}
          onClick={() => navigate({ to: '.', search: kept as never })}
        >
          Clear filters
        </Button>
      ) : null}
    </search>
  );
};

interface FilterSelectProps {
  label: string;
  value: string | undefined;
  /** Words by values; the first choice is always everything. */
  choices: [value: string, word: string][];
  all: string;
  onChange: (value: string | undefined) => void;
}

export const FilterSelect = ({ label, value, choices, all, onChange }: FilterSelectProps) => (
  <NativeSelect
    aria-label={label}
    className={css.select!}
    data={[
      { value: '', label: all },
      // A value from an old link is still shown.
      ...(value && !choices.some(([known]) => known === value) ? [{ value, label: value }] : []),
      ...choices.map(([known, word]) => ({ value: known, label: word })),
    ]}
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  />
);

/** Only where there is more than one account to choose from. */
export const AccountFilter = ({ value, onChange }: Pick<FilterSelectProps, 'value' | 'onChange'>) => {
  const accounts = useAccounts();
  if (accounts.length < 2 && !value) return null;
  return (
    <FilterSelect
      label="Account"
      all="All accounts"
      value={value}
      choices={accounts.map(({ account }) => [account, account])}
      onChange={onChange}
    />
  );
};

/** A day as the browser's own calendar gives it. */
export const FilterDay = ({ label, value, onChange }: FilterTextProps) => (
  <TextInput
    type="date"
    aria-label={label}
    title={label}
    min="1900-01-01"
    max="2999-12-31"
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  />
);

interface FilterTextProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A text that filters when it is entered, or when the field is left. */
export const FilterText = ({ label, value, onChange }: FilterTextProps) => {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== (value ?? '')) onChange(text.trim() || undefined);
  };
  return (
    <form onSubmit={apply} className={css.text}>
      <TextInput
        aria-label={label}
        placeholder={label}
        leftSection={<Icon name="search" />}
        rightSection={text.trim() === (value ?? '') ? null : <span className="dim small">Enter</span>}
        rightSectionWidth={48}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply()}
      />
    </form>
  );
};
