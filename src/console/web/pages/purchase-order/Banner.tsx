import { useState } from 'react';
import type { OfferedAction } from '../../../../api-contract/basics.ts';
import type { PoBanner, PoDetail } from '../../../../api-contract/purchase-orders.ts';
import { ActionButtons, PlaceButton } from '../../actions/ActionButtons.tsx';
import { PoActionDialog } from '../../actions/PoActionDialog.tsx';
import { ResumeButton } from '../../actions/ResumeButton.tsx';
import type { Tone } from '../../components/badges.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { plain } from '../../data/format.ts';
import { useMayAct } from '../../data/session.ts';
import css from './Banner.module.css';

const looks: Record<PoBanner['tone'], { tone: Tone; icon: IconName }> = {
  good: { tone: 'ordered', icon: 'check' },
  progress: { tone: 'progress', icon: 'clock' },
  attention: { tone: 'held', icon: 'pause' },
  bad: { tone: 'failed', icon: 'cross' },
  neutral: { tone: 'ended', icon: 'minus' },
};

/** The state of a PO, the next step and what a person can do, with the buttons for it. */
export const Banner = ({ po }: { po: PoDetail }) => {
  const [chosen, setChosen] = useState<OfferedAction>();
  const mayAct = useMayAct();
  const { tone: kind, sentence, next, nextAt, advice, actions, place } = po.banner;
  const { tone, icon } = looks[kind];
  return (
    <section className={`${css.banner} tone-${tone}`} aria-label="Where this purchase order is">
      <span className={`mark large ${css.mark}`}>
        <Icon name={icon} size={20} />
      </span>
      <div className="stack-tight fill">
        <p className="sentence">
          <UntrustedText as="block" text={plain(sentence)} />
        </p>
        {next ? (
          <p>
            <strong>Next:</strong> <UntrustedText text={plain(next)} />
            {nextAt ? (
              <>
                {' ('}
                <Time at={nextAt} account={po.account} relative />)
              </>
            ) : null}
          </p>
        ) : null}
        {advice ? <p className="dim">{plain(advice)}</p> : null}
        {po.alarm ? (
          <p className="icon-text toned tone-held">
            <Icon name="alert" />
            <UntrustedText as="block" text={po.alarm} />
          </p>
        ) : null}
        {po.pause?.canResume ? (
          <div>
            <ResumeButton account={po.account} />
          </div>
        ) : null}
        {mayAct && (actions.length > 0 || place !== null) ? (
          <ActionButtons
            offered={actions}
            place={
              place ? (
                <PlaceButton place={place} toCorrect={{ importId: po.importId, purchaseOrders: [po.id] }} />
              ) : null
            }
            onPick={setChosen}
          />
        ) : null}
      </div>
      {chosen ? (
        <PoActionDialog offered={chosen} purchaseOrders={[po]} onClose={() => setChosen(undefined)} />
      ) : null}
    </section>
  );
};
