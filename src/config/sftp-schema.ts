import { z } from 'zod';
import { oneSecret, secretShape } from '../dealer-api/auth.ts';
import { duration } from './duration.ts';

const fingerprint = z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, {
  error: 'must be a fingerprint such as SHA256:… with 43 characters, as `ssh-keygen -lf` shows it',
});

const authSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), ...secretShape }).superRefine(oneSecret),
  z
    .strictObject({
      kind: z.literal('key'),
      ...secretShape,
      passphrase: z.strictObject(secretShape).superRefine(oneSecret).optional(),
    })
    .superRefine(oneSecret),
]);

const serverFolder = z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[^\u0000-\u001f]*[^/\u0000-\u001f]$/, {
  error: 'must be a folder at the server such as orders or /out/orders, without . and ..',
});

const fetchSchema = z.strictObject({
  folder: serverFolder.describe('Folder at the server from which purchase files are fetched.'),
  doneFolder: serverFolder
    .optional()
    .describe(
      'Folder at the server to which a file is moved when it is in the ledger; default: `done` in the folder that it comes from.',
    ),
});

const deliverSchema = z.strictObject({
  results: serverFolder.optional().describe('Folder at the server for result files.'),
  reports: serverFolder.optional().describe('Folder at the server for status reports.'),
});

/** Normalises repeated slashes, so that folders can be compared. */
const plain = (folder: string): string => folder.replace(/\/+/g, '/');

/** An account's exchange of files with its dealer's server. */
export const sftpSchema = z
  .strictObject({
    host: z.string().min(1).describe("The dealer's SFTP server."),
    port: z.int().min(1).max(65535).default(22).describe('Its port.'),
    user: z.string().min(1).describe('The user to sign in as.'),
    hostKey: z
      .union([fingerprint, z.array(fingerprint).min(1)])
      .describe(
        'Fingerprint of the host key of the server, `SHA256:…`, or a list of them while the dealer changes it. Nothing is sent to a server that shows another key. `ssh-keyscan HOST | ssh-keygen -lf -` shows it; compare it with what the dealer says.',
      ),
    auth: authSchema.describe(
      'How to sign in. Its `kind` is password or key, and `secretEnv` or `secretFile` names the password or the private key; a key may have a `passphrase` with one of the two.',
    ),
    every: duration
      .refine((ms) => ms >= 1000, { error: 'must be at least 1s' })
      .prefault('1m')
      .describe('How often the server is asked for files, and results are delivered.'),
    fetch: fetchSchema.optional(),
    deliver: deliverSchema.optional(),
  })
  .superRefine(({ fetch, deliver }, context) => {
    const folders = {
      'fetch.folder': fetch?.folder,
      'fetch.doneFolder': fetch?.doneFolder,
      'deliver.results': deliver?.results,
      'deliver.reports': deliver?.reports,
    };
    const seen = new Map<string, string>();
    for (const [setting, folder] of Object.entries(folders)) {
      if (folder === undefined) continue;
      const other = seen.get(plain(folder));
      seen.set(plain(folder), setting);
      if (other === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: setting.split('.'),
        message: `must be another folder than ${other}, because what is delivered would be fetched again`,
      });
    }
  });
