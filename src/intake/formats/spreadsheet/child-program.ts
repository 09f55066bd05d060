import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');

/** How Node starts the child that reads spreadsheets: as it was built or, while developing, from its source. */
export const childProgram = {
  file: fileURLToPath(new URL(isSource ? './child.ts' : './child.js', import.meta.url)),
  execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
};
