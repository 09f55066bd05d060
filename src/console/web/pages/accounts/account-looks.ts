import type { AccountSummary } from '../../../../api-contract/accounts.ts';
import type { Look } from '../../components/badges.tsx';

export const accountLooks: Record<AccountSummary['state'], Look> = {
  working: { tone: 'ordered', icon: 'check', word: 'Working' },
  paused: { tone: 'held', icon: 'pause', word: 'Paused' },
  troubled: { tone: 'failed', icon: 'alert', word: 'Troubled' },
  not_configured: { tone: 'ended', icon: 'minus', word: 'Not configured' },
};
