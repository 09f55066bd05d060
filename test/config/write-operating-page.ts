// Makes the generated parts of docs/operating.md anew: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { renderOperatingPage } from './operating-page.ts';

const page = new URL('../../docs/operating.md', import.meta.url);
writeFileSync(page, renderOperatingPage(readFileSync(page, 'utf8')));
