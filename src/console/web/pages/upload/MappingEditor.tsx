import { Button, NativeSelect } from '@mantine/core';
import { editorControls } from '../../../../api-contract/editor-words.ts';
import type { Mapping, UploadAnswer } from '../../../../api-contract/uploads.ts';
import { Badge } from '../../components/badges.tsx';
import { TablePanel } from '../../components/DataTable.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListPanel, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { useKept } from '../../data/use-kept.ts';
import css from './MappingEditor.module.css';
import { type PoNumberChoice, PoNumberOfFile } from './PoNumberOfFile.tsx';
import { ReadingSettings } from './ReadingSettings.tsx';
import { useSaveMapping } from './use-save-mapping.ts';

type Proposed = Extract<UploadAnswer['proposal'], { kind: 'proposed' }>;

interface MappingEditorProps {
  answer: UploadAnswer;
  proposal: Proposed;
  onPreview: () => void;
}

const ignored = 'ignore';

/** Each column with its samples, the proposed field, how certain it is, and why; a person decides. */
export const MappingEditor = ({ answer, proposal, onPreview }: MappingEditorProps) => {
  const { upload, fields } = answer;
  const {
    value: changes,
    keep: setChanges,
    forget,
  } = useKept<Record<string, string>>(`columns ${upload.id}`, {});
  const given = proposal.mapping.constants?.po_number;
  const { value: poNumber, keep: setPoNumber } = useKept<PoNumberChoice>(`po number ${upload.id}`, {
    from: proposal.mapping.poNumberFrom,
    typed: given === undefined ? '' : String(given),
  });
  const fieldOf = (header: string, field: string | null) => changes[header] ?? field ?? ignored;
  const taken = new Set(proposal.columns.map(({ header, field }) => fieldOf(header, field)));
  const hasPoColumn = taken.has('po_number');
  const missing = proposal.missing.filter(
    ({ field }) => !taken.has(field) && !(field === 'po_number' && poNumber.from !== undefined),
  );
  const decided = (): Mapping => {
    // An undecided column is ignored but still watched, because its values may affect the order.
    const columns = {
      ...proposal.mapping.columns,
      ...Object.fromEntries(
        proposal.columns.flatMap(({ header, field }) => (field === null ? [] : [[header, field]])),
      ),
      ...changes,
    };
    const { poNumberFrom: _, constants, ...rest } = proposal.mapping;
    const { po_number: __, ...others } = constants ?? {};
    const typed = poNumber.from !== undefined && 'typed' in poNumber.from ? poNumber.typed.trim() : '';
    return {
      ...rest,
      columns,
      ...(poNumber.from === undefined || hasPoColumn ? {} : { poNumberFrom: poNumber.from }),
      constants: { ...others, ...(typed !== '' && !hasPoColumn ? { po_number: typed } : {}) },
    };
  };
  const save = useSaveMapping(upload.id, (next, goesOn) => {
    setChanges({});
    forget();
    const isComplete = next.proposal.kind === 'proposed' && next.proposal.missing.length === 0;
    if (goesOn && isComplete) onPreview();
  });
  const unsure = proposal.columns.filter(({ header, certain }) => !certain && !(header in changes)).length;
  return (
    <>
      {missing.length > 0 ? (
        <Panel>
          <ul className="stack-tight">
            {missing.map(({ field, why }) => (
              <li key={field} className="icon-text tone-failed">
                <Icon name="alert" />
                <span>
                  <strong>{fields.find((one) => one.field === field)?.label ?? field}</strong> is missing:{' '}
                  <UntrustedText text={why} />
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      <TablePanel
        title={editorControls.columns}
        note={unsure > 0 ? `${unsure} to be checked` : null}
        caption="Columns of the file and the fields that they hold"
        rows={proposal.columns.map((column, index) => ({ ...column, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: 'Column of the file', lead: true, text: ({ header }) => header },
          {
            title: 'First values',
            grow: true,
            mono: true,
            text: ({ samples }) => samples.slice(0, 4).join(' · '),
          },
          {
            title: 'Holds',
            cell: ({ header, field }) => (
              <NativeSelect
                size="xs"
                className={css.choice}
                // A choice made while the mapping is saved would be gone with the answer.
                disabled={save.isPending}
                aria-label={`Field of the column ${header.slice(0, 60)}`}
                data={[
                  { value: ignored, label: 'nothing (not read)' },
                  ...fields.map((one) => ({
                    value: one.field,
                    label: one.needed ? `${one.label} *` : one.label,
                  })),
                ]}
                value={fieldOf(header, field)}
                onChange={(event) => setChanges({ ...changes, [header]: event.currentTarget.value })}
              />
            ),
          },
          {
            title: 'How sure',
            cell: ({ header, certain, field }) =>
              header in changes ? (
                <Badge look={{ tone: 'progress', icon: 'person', word: 'Your choice' }} />
              ) : certain && field ? (
                <Badge look={{ tone: 'ordered', icon: 'check', word: 'Sure' }} />
              ) : certain ? (
                // Ignored because it was not recognised, so there is no certainty to show.
                <span className="dim">Not recognised</span>
              ) : (
                <Badge look={{ tone: 'held', icon: 'alert', word: 'Check this' }} />
              ),
          },
          { title: 'Why', wide: true, text: ({ why }) => why },
        ]}
      />
      {hasPoColumn ? null : (
        <>
          <PoNumberOfFile choice={poNumber} onChange={setPoNumber} />
          {proposal.poNumber && poNumber.from === proposal.mapping.poNumberFrom ? (
            <Panel>
              <p>
                <UntrustedText text={proposal.poNumber.value} mono />{' '}
                <span className="dim">({proposal.poNumber.why})</span>
              </p>
            </Panel>
          ) : null}
        </>
      )}
      {answer.file ? (
        <ReadingSettings
          file={answer.file}
          mapping={save.isPending ? save.variables.mapping : decided()}
          found={proposal}
          isNeeded={false}
          isPending={save.isPending}
          onChange={(next, anew) => {
            const { columns, ...rest } = next;
            save.mutate({ mapping: anew ? rest : { ...rest, columns: columns! }, goesOn: false });
          }}
        />
      ) : null}
      <ListPanel title="How it is read" items={proposal.decisions}>
        {({ what, decided: how, why }) => (
          <li key={`${what} ${how}`}>
            <strong>{what.replaceAll('_', ' ')}:</strong> <UntrustedText text={how} />{' '}
            <span className="dim">
              (<UntrustedText text={why} />)
            </span>
          </li>
        )}
      </ListPanel>
      {save.error ? <ProblemNote error={save.error} /> : null}
      <div className="row">
        <Button
          loading={save.isPending}
          rightSection={<Icon name="right" />}
          onClick={() => save.mutate({ mapping: decided(), goesOn: true })}
        >
          Preview with these columns
        </Button>
        <span className="dim small">* needed for an order</span>
      </div>
    </>
  );
};
