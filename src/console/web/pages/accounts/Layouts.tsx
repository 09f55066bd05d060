import type { LayoutsAnswer, ShownLayout } from '../../../../api-contract/layouts.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Empty, ListBody, Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { request, useRead } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

const sourceWords: Record<string, string> = {
  made: 'PO number made by Cartwright',
  typed: 'PO number typed for each file',
  cell: 'PO number in a cell',
  fileName: 'PO number in the name of the file',
  sheetName: 'PO number in the name of the sheet',
};

/** `Beleg → po_number, Ware → item_sku`; for files that are not orders, the names of the header. */
const readingOf = ({ kind, settings, header }: ShownLayout): string =>
  kind === 'no_order'
    ? `refused: ${header.join(', ')}`
    : [
        ...Object.entries(settings.columns ?? {}).map(([name, field]) => `${name} → ${field}`),
        ...(settings.poNumberFrom ? [sourceWords[Object.keys(settings.poNumberFrom)[0]!]!] : []),
      ].join(', ');

const RemoveButton = ({ layout }: { layout: ShownLayout }) => (
  <AskButton
    word="Remove"
    size="xs"
    title={`Remove the layout ${layout.name.slice(0, 60)}?`}
    confirm="Remove it"
    isDangerous
    withNote={false}
    act={() => request(`/layouts/${layout.id}`, { method: 'DELETE' })}
  >
    <p>
      The next file with its header waits for somebody to say what it means. What was read stays as it is.
    </p>
  </AskButton>
);

/** The agreed layouts of an account. */
export const Layouts = ({ account }: { account: string }) => {
  const mayAct = useMayAct();
  const list = useRead<LayoutsAnswer>(['layouts', account], '/layouts', { query: { account } });
  return (
    <Panel title="How its files are read" flush>
      <ListBody
        list={list}
        empty={
          <Empty icon="file" title="Nothing is agreed yet">
            Files with the headers of the template are read at once. A file with other headers waits until
            somebody says what it means.
          </Empty>
        }
      >
        {({ items }) => (
          <DataTable
            caption="Layouts: how files with a header are read"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Files',
                lead: true,
                cell: ({ name, version }) => (
                  <>
                    <UntrustedText text={name} /> <span className="dim small">version {version}</span>
                  </>
                ),
              },
              { title: 'Read as', grow: true, text: (one) => readingOf(one) },
              { title: 'Since', wide: true, text: ({ agreed }) => agreed },
              { title: 'Read', count: ({ files }) => files },
              {
                title: '',
                when: mayAct,
                act: true,
                cell: (layout) =>
                  // These two only reflect other settings, so removing them would have no effect.
                  layout.via === 'configuration' || layout.via === 'standard names' ? null : (
                    <RemoveButton layout={layout} />
                  ),
              },
            ]}
          />
        )}
      </ListBody>
    </Panel>
  );
};
