import { UntrustedText } from './UntrustedText.tsx';

interface StatusMeaningsProps {
  shown: readonly { status: string | null; statusMeaning: string | null; lateDays: number | null }[];
}

/** What the statuses that a page shows mean, in words and not only as tooltips. */
export const StatusMeanings = ({ shown }: StatusMeaningsProps) => {
  const meanings = new Map(
    shown.flatMap(({ status, statusMeaning }) =>
      statusMeaning === null ? [] : [[status ?? 'Not shown yet', statusMeaning]],
    ),
  );
  if (shown.some(({ lateDays }) => lateDays !== null)) {
    meanings.set(
      'Late',
      'it has not shipped for longer than its account allows, counted in days since it was ordered',
    );
  }
  if (meanings.size === 0) return null;
  return (
    <details className="small">
      <summary>What these statuses mean</summary>
      <ul>
        {[...meanings].map(([status, meaning]) => (
          <li key={status}>
            <strong>
              <UntrustedText text={status} />
            </strong>
            : {meaning}
          </li>
        ))}
      </ul>
    </details>
  );
};
