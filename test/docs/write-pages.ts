// Writes the generated parts of docs/operating.md, docs/reports.md, docs/rules.md, docs/service.md and docs/sync.md again: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { renderOperatingPage } from '../config/operating-page.ts';
import { renderReportsPage } from './reports-page.ts';
import { renderRulesPage } from './rules-page.ts';
import { renderServicePage } from './service-page.ts';
import { renderSyncPage } from './sync-page.ts';

const pages = {
  'operating.md': renderOperatingPage,
  'reports.md': renderReportsPage,
  'rules.md': renderRulesPage,
  'service.md': renderServicePage,
  'sync.md': renderSyncPage,
};
for (const [name, render] of Object.entries(pages)) {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  writeFileSync(page, render(readFileSync(page, 'utf8')));
}
