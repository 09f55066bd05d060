import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');

/** How Node starts the child that reads spreadsheets: the built program or, in development, its source. */
export const childProgram = {
  file: fileURLToPath(new URL(isSource ? './child.ts' : './child.js', import.meta.url)),
  execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
};
