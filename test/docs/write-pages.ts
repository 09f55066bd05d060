// Writes the generated parts of docs/api.md, docs/every-day.md, docs/operating.md, docs/reports.md, docs/results.md, docs/rules.md, docs/service.md, docs/settings.md and docs/sync.md again: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { renderEveryDayPage, renderOperatingPage, renderSettingsPage } from '../config/operator-pages.ts';
import { renderApiPage } from './api-page.ts';
import { renderReportsPage } from './reports-page.ts';
import { renderResultsPage } from './results-page.ts';
import { renderRulesPage } from './rules-page.ts';
import { renderServicePage } from './service-page.ts';
import { renderSyncPage } from './sync-page.ts';

const pages = {
  'api.md': renderApiPage,
  'every-day.md': renderEveryDayPage,
  'operating.md': renderOperatingPage,
  'reports.md': renderReportsPage,
  'results.md': renderResultsPage,
  'rules.md': renderRulesPage,
  'service.md': renderServicePage,
  'settings.md': renderSettingsPage,
  'sync.md': renderSyncPage,
};
for (const [name, render] of Object.entries(pages)) {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  writeFileSync(page, await render(readFileSync(page, 'utf8')));
}
