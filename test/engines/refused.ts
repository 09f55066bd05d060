import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli } from '../cli/run-cli.ts';

/**
 * Starts `cartwright work` with servers that it cannot use, and asserts that it ends with `exitCode` and prints only one
 * sentence, without any of the given secrets. Returns the sentence.
 */
export const refusal = async (
  env: Record<string, string | undefined>,
  { secrets = [], exitCode = 3 }: { secrets?: readonly string[]; exitCode?: number } = {},
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-refused-'));
  try {
    await writeFile(join(folder, 'cartwright.yaml'), 'accounts: { default: {} }\n');
    const ended = await runCli(['work'], { cwd: folder, env });
    for (const secret of secrets) {
      expect(ended.err).not.toContain(secret);
      expect(ended.err).not.toContain(encodeURIComponent(secret));
    }
    expect(ended.err).toMatch(/^cartwright: [^\n]+\n$/);
    expect(ended).toMatchObject({ exitCode, out: '' });
    return ended.err;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
