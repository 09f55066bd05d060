import { Foreign } from '../../components/Foreign.tsx';
import { Panel } from '../../components/Panel.tsx';

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
            <strong>{what.replaceAll('_', ' ')}:</strong> <Foreign text={decided} />{' '}
            <span className="dim">
              (<Foreign text={why} />)
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
