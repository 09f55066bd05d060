import { Link } from '@tanstack/react-router';
import type { TodayAnswer } from '../../../../api-contract/today.ts';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { StateBar } from '../../components/StateBar.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatCapped, formatCount, formatCountOf } from '../../data/format.ts';

/** Imports that are being read or placed. */
export const Running = ({ today: { running, runningCount, workers } }: { today: TodayAnswer }) => (
  <Panel title="Running" note={formatCountOf(workers, 'worker')} flush={running.length > 0}>
    {running.length === 0 ? (
      <p className="dim">
        Nothing is being read or placed now.{' '}
        {workers === 0
          ? 'No worker is running, so nothing starts. Ask the administrator of Cartwright to start one.'
          : ''}
      </p>
    ) : (
      <ul className="entries">
        {running.map(({ id, fileName, account, step, done, total, states, takenAt, ...rest }) => (
          <li key={id} className="stack-tight padded">
            <div className="spread">
              <Link to="/imports/$id" params={{ id }} className="title-link">
                <UntrustedText text={fileName} />
              </Link>
              <span className="dim small">
                {account} · <Time at={takenAt} account={account} relative />
              </span>
            </div>
            {step === 'reading' ? (
              <p className="dim">Being read</p>
            ) : (
              <>
                <StateBar states={states} words={false} />
                <p className="small">
                  {formatCount(done)} of {formatCountOf(total, 'purchase order')} settled
                </p>
              </>
            )}
            {rest.waitingFor ? (
              <p className="toned small tone-held">
                <UntrustedText text={rest.waitingFor} />
              </p>
            ) : null}
            {rest.canResume ? (
              <div>
                <ResumeButton account={account} size="xs" />
              </div>
            ) : null}
          </li>
        ))}
        {runningCount.count > running.length ? (
          <li className="padded">
            <Link to="/imports" search={{ outcome: 'placing' }}>
              All {formatCapped(runningCount)} running imports
            </Link>
          </li>
        ) : null}
      </ul>
    )}
  </Panel>
);
