/** The option of commands that can ask a running console instead of opening the ledger. */
export const urlOption = [
  '--url <address>',
  'ask a running console instead of the ledger; CARTWRIGHT_API_TOKEN is its token',
] as const;
