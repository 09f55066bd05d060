import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useAccounts } from '../data/zones.tsx';
import css from './FilterBar.module.css';
import { Form } from './Form.tsx';
import { Icon } from './Icon.tsx';
import type { Sorting } from './table-head.tsx';

type Search = Record<string, string | undefined>;

/** Changes the filters in the page's address; a new filter starts on the first page. */
const useFilters = (search: Search) => {
  const navigate = useNavigate();
  return (changes: Search) =>
    navigate({
      to: '.',
      search: { ...search, ...changes, cursor: undefined } as never,
      replace: false,
      resetScroll: false,
    });
};

/** Search parameters that are not filters. */
const others = ['sort', 'cursor'];

/** Whether any filter is set. */
export const isFiltered = (search: Search): boolean =>
  Object.keys(search).some((name) => !others.includes(name));

/** Sorting by the headings of a table. @param usual the default order */
export const useSorting = (search: Search, usual: string): Sorting => {
  const set = useFilters(search);
  return {
    by: search.sort ?? usual,
    onSort: (sort) => set({ sort: sort === usual ? undefined : sort }),
  };
};

const Searched = createContext<Search>({});

interface FiltersProps {
  search: Search;
  children: ReactNode;
}

/** Provides the search to filters anywhere on the page. */
export const Filters = ({ search, children }: FiltersProps) => <Searched value={search}>{children}</Searched>;

/** The filters of a list in one line, with a button that clears all. */
export const FilterBar = ({ search, children }: FiltersProps) => {
  const navigate = useNavigate();
  return (
    <search className="row">
      <Filters search={search}>{children}</Filters>
      {isFiltered(search) ? (
        <Button
          variant="subtle"
          leftSection={<Icon name="cross" size={13} />}
          onClick={() => navigate({ to: '.', search: { sort: search.sort } as never })}
        >
          Clear filters
        </Button>
      ) : null}
    </search>
  );
};

interface FilterProps {
  /** Parameter name in the page's address. */
  name: string;
  label: string;
}

/** The value of a filter, and its setter. */
const useFilter = (name: string) => {
  const search = useContext(Searched);
  const set = useFilters(search);
  return {
    value: search[name],
    change: (text: string, more: Search = {}) => set({ [name]: text || undefined, ...more }),
  };
};

interface FilterSelectProps extends FilterProps {
  /** Words by value; the first choice is always "all". */
  choices: [value: string, word: string][];
  all: string;
  /** Other parameters that a choice changes. */
  also?: (value: string) => Search;
}

export const FilterSelect = ({ name, label, choices, all, also }: FilterSelectProps) => {
  const { value, change } = useFilter(name);
  return (
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
      onChange={({ currentTarget }) => change(currentTarget.value, also?.(currentTarget.value))}
    />
  );
};

/** A filter that only a link can set; it can only be removed. */
export const FilterOfLink = ({ word, ...props }: Omit<FilterSelectProps, 'choices'> & { word?: string }) => {
  const { value } = useFilter(props.name);
  return value ? <FilterSelect {...props} choices={[[value, word ?? value.slice(0, 70)]]} /> : null;
};

/** Shown only if there are several accounts. */
export const AccountFilter = () => {
  const accounts = useAccounts();
  const { value } = useFilter('account');
  if (accounts.length < 2 && !value) return null;
  return (
    <FilterSelect
      name="account"
      label="Account"
      all="All accounts"
      choices={accounts.map(({ account }) => [account, account])}
    />
  );
};

/** A day from the browser's date picker. */
export const FilterDay = ({ name, label }: FilterProps) => {
  const { value, change } = useFilter(name);
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      min="1900-01-01"
      max="2999-12-31"
      value={value ?? ''}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
};

/** A text that filters on Enter or blur. */
export const FilterText = ({ name, label }: FilterProps) => {
  const { value = '', change } = useFilter(name);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = () => {
    if (text.trim() !== value) change(text.trim());
  };
  return (
    <Form onSubmit={apply} className={css.text!}>
      <TextInput
        aria-label={label}
        placeholder={label}
        leftSection={<Icon name="search" />}
        rightSection={text.trim() === value ? null : <span className="dim small">Enter</span>}
        rightSectionWidth={48}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </Form>
  );
};
