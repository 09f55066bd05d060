import type { AccountDetail } from '../../../api-contract/accounts.ts';

/** The tasks of an account's schedules, in words. */
export const scheduleTasks: Record<AccountDetail['schedules'][number]['kind'], string> = {
  poll: 'Fetch order statuses',
  report: 'Write the status report',
  take_files: 'Pick up files',
};
