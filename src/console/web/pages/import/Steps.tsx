import type { ImportDetail } from '../../../../api-contract/imports.ts';
import type { Tone } from '../../components/badges.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Time } from '../../components/text.tsx';
import css from './Steps.module.css';

type Step = ImportDetail['steps'][number];

const words: Record<Step['step'], string> = {
  received: 'Received',
  read: 'Read',
  placed: 'Placed',
  reported: 'Reported',
};
const looks: Record<Step['state'], { tone: Tone; icon: IconName; word: string }> = {
  done: { tone: 'ordered', icon: 'check', word: 'done' },
  running: { tone: 'progress', icon: 'clock', word: 'running' },
  waiting: { tone: 'ended', icon: 'clock', word: 'not yet' },
  failed: { tone: 'failed', icon: 'cross', word: 'failed' },
  not_needed: { tone: 'ended', icon: 'minus', word: 'not needed' },
};

/** The progress of a file: received, read, placed, reported. */
export const Steps = ({ steps, account }: { steps: readonly Step[]; account: string }) => (
  <ol className={css.steps}>
    {steps.map(({ step, state, at, text }) => {
      const { tone, icon, word } = looks[state];
      return (
        <li key={step} className={`${css.step} tone-${tone}`}>
          <span className="mark">
            <Icon name={icon} size={13} />
          </span>
          <div>
            <p className="medium">
              {words[step]} <span className="hidden-text">({word})</span>
            </p>
            <p className="dim small">{text}</p>
            {at ? (
              <p className="dim small">
                <Time at={at} account={account} />
              </p>
            ) : null}
          </div>
        </li>
      );
    })}
  </ol>
);
