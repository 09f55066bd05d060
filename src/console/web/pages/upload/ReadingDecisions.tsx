import { Panel } from '../../components/Panel.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';

interface ReadingDecisionsProps {
  decisions: readonly { what: string; decided: string; why: string }[];
}

/** What was decided about the file, with the reasons. */
export const ReadingDecisions = ({ decisions }: ReadingDecisionsProps) => {
  if (decisions.length === 0) return null;
  return (
    <Panel title="How it is read">
      <ul className="stack-tight">
        {decisions.map(({ what, decided, why }) => (
          <li key={`${what} ${decided}`}>
            <strong>{what.replaceAll('_', ' ')}:</strong> <UntrustedText text={decided} />{' '}
            <span className="dim">
              (<UntrustedText text={why} />)
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
