import type { PauseResult } from '../ledger/console/operator-pauses.ts';
import { serviceCause } from '../placing/service-causes.ts';

type NotPossible = Extract<PauseResult, { kind: 'not_possible' }>;

export const pausedSentence = (account: string): string =>
  `${account} is paused: nothing new begins until a person resumes it. A call in progress is finished first, and so are the lines of a PO that are being added to its cart.`;

export const resumedSentence = (account: string): string =>
  `${account} is resumed. Its POs continue where they stopped.`;

export const whyNotPaused = (account: string, { pause }: NotPossible): string =>
  `${account} is paused already: ${pause?.reason ?? 'somebody was faster'}.`;

export const whyNotResumed = (account: string, { pause }: NotPossible): string => {
  if (pause?.code === 'rate_limited')
    return `The service of ${account} asked for this pause, so it is not ended earlier. It ends at the time that the service named.`;
  if (pause?.code === 'restored')
    return `The ledger was restored from a backup, and calls from before may still take effect. The pause of ${account} ends without you within minutes.`;
  return pause ? `${account} is being tried again already.` : `${account} is not paused any more.`;
};

/** How a pause ends and what a person can do about it, for every place that shows the pause. Pure. */
export const pauseAdvice = ({ code }: { code: string }): { remedy: string; canResume: boolean } => {
  const { remedy, endsAlone } = serviceCause(code, '');
  return { remedy, canResume: !endsAlone };
};
