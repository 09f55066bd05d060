import { FileRefused } from '../../../errors.ts';

/** @param detail the finding, in terms of the format; a row named in it is shown to the dealer */
export const damaged = (detail: string, cause?: unknown): FileRefused => {
  const row = /\brow \d+/.exec(detail)?.[0];
  return new FileRefused(
    'damaged_workbook',
    `The workbook is damaged or incomplete${row === undefined ? '' : ` (${row})`}. Open it in a spreadsheet program, save it again, and send that file.`,
    { cause, technical: detail },
  );
};

export const encrypted = (): FileRefused =>
  new FileRefused(
    'encrypted_workbook',
    'The workbook is encrypted: it has a password, or its structure is protected, which encrypts it too although no password is asked for. Open it in a spreadsheet program, remove the password and the protection, save it, and send that file.',
  );
