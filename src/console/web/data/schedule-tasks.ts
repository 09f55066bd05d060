import type { AccountDetail } from '../../../api-contract/accounts.ts';

/** What the schedules of an account do, in words. */
export const scheduleTasks: Record<AccountDetail['schedules'][number]['kind'], string> = {
  poll: 'Fetch order statuses',
  report: 'Write the status report',
  take_files: 'Pick up files',
};
