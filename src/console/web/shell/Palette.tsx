import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { poName } from '../../../api-contract/po-words.ts';
import type { SearchAnswer, SearchHit } from '../../../api-contract/search.ts';
import { PoBadge } from '../components/badges.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Icon, type IconName } from '../components/Icon.tsx';
import { ProblemNote } from '../components/page-parts.tsx';
import { Time, UntrustedText } from '../components/text.tsx';
import { useRead } from '../data/request.ts';
import { useMe } from '../data/session.ts';
import { FilesWithNumber } from './FilesWithNumber.tsx';
import { placesFor } from './navigation.ts';
import css from './Palette.module.css';
import { takeTyped } from './typed-ahead.ts';

const kinds: Record<SearchHit['kind'], string> = {
  po: 'Purchase orders',
  order: 'Order numbers',
  tracking: 'Tracking numbers',
  invoice: 'Invoices',
  sku: 'SKUs',
  ship_to: 'Ship to',
  zip: 'ZIP codes',
  file: 'Files',
};

interface Choice {
  key: string;
  group: string;
  icon: IconName;
  to: string;
  hit?: SearchHit;
  word?: string;
}

/** Searches everything from every page. The arrow keys select, Enter opens. */
const Palette = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 120);
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { role } = useMe();
  const search = useRead<SearchAnswer>(['search', q], '/search', {
    query: { q, limit: 8 },
    enabled: q.length > 0,
    placeholderData: keepPreviousData,
  });

  const found: Choice[] =
    q === ''
      ? []
      : (search.data?.groups ?? []).flatMap(({ kind, hits }) =>
          hits.map((hit, index) => ({
            key: `${kind}-${index}`,
            group: kinds[kind],
            icon: hit.purchaseOrder ? ('orders' as const) : ('file' as const),
            to: hit.purchaseOrder ? `/purchase-orders/${hit.purchaseOrder.id}` : `/imports/${hit.import.id}`,
            hit,
          })),
        );
  const words = placesFor(role)
    .flatMap(({ places }) => places)
    .filter(({ word }) => text === '' || word.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, word, icon }): Choice => ({ key: to, group: 'Pages', icon, to, word }));
  const choices = [...found, ...words];
  const chosen = Math.min(at, choices.length - 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new results start at the first one.
  useEffect(() => setAt(0), [q, search.data]);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const open = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    void navigate({ to: choice.to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt((next + choices.length) % Math.max(1, choices.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Until the answer arrives, the list belongs to an earlier text.
      if (q === text.trim() && !search.isPlaceholderData) open(choices[chosen]);
    }
  };
  const isNoPo =
    q.length > 2 &&
    search.isSuccess &&
    !search.isPlaceholderData &&
    !search.data.groups.some(({ kind }) => kind === 'po');
  const nothing = q !== '' && search.isSuccess && !search.isPlaceholderData && choices.length === 0;
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={640}
      yOffset="12vh"
      centered={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <div className={css.field}>
        <Icon name="search" size={18} />
        <input
          className={css.input}
          data-autofocus
          role="combobox"
          aria-label="Search POs, order, tracking and invoice numbers, SKUs, ship-to names, ZIP codes and files"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-activedescendant={choices[chosen] ? `${listId}-${chosen}` : undefined}
          aria-autocomplete="list"
          placeholder="PO, order, tracking or invoice number, SKU, ship-to name, ZIP, file"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          value={text}
          onFocus={() => {
            const typed = takeTyped();
            setText((since) => since + typed);
          }}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {search.error ? <ProblemNote error={search.error} /> : null}
      <div id={listId} role="listbox" aria-label="Results" className={css.list} ref={list}>
        {choices.map((choice, index) => (
          <div key={choice.key}>
            {choices[index - 1]?.group === choice.group ? null : (
              <div className="menu-title" role="presentation">
                {choice.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus. */}
            <div
              id={`${listId}-${index}`}
              data-index={index}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={`menu-item ${css.option}`}
              onMouseMove={() => setAt(index)}
              onClick={() => open(choice)}
            >
              <Icon name={choice.icon} />
              {choice.hit ? <Hit hit={choice.hit} /> : choice.word}
            </div>
          </div>
        ))}
        {nothing ? (
          <p className="padded dim">
            Nothing was found for “{q}”. Three characters find a PO number, a SKU or a file name anywhere in
            it; of everything else, type the beginning.
          </p>
        ) : null}
      </div>
      {isNoPo ? (
        <div className={css.files}>
          <FilesWithNumber q={q} onClose={onClose} />
        </div>
      ) : null}
      <p className={css.foot} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
};

const Hit = ({ hit }: { hit: SearchHit }) => {
  const { purchaseOrder: po, import: file, account, matched, kind } = hit;
  return (
    <span className={css.hit}>
      <span className={css.main}>
        <UntrustedText as="line" text={matched} />
        {kind === 'po' || kind === 'file' || !po ? null : (
          <span className="dim">
            <UntrustedText text={poName(po.poNumber)} />
          </span>
        )}
      </span>
      <span className={`${css.where} dim`}>
        <UntrustedText as="line" text={po ? `${account} · ${file.fileName}` : account} />
      </span>
      {po ? <PoBadge {...po} /> : <Time at={file.takenAt} account={account} />}
    </span>
  );
};

export default Palette;
