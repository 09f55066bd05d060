// How Vite builds the console's pages into dist/console. `npx vite --config scripts/web.config.mjs` serves them while you change them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { schemeVariables, theme } from '../src/console/web/theme.ts';

const root = fileURLToPath(new URL('../src/console/web', import.meta.url));

/**
 * Mantine writes its variables into a style tag at run time, which the console's content security policy forbids.
 * `import 'virtual:theme.css'` has the same variables in a CSS file.
 */
const themeVariables = () => ({
  name: 'cartwright:theme-variables',
  resolveId: (id) => (id === 'virtual:theme.css' ? '\0theme-variables.css' : undefined),
  load(id) {
    if (id !== '\0theme-variables.css') return;
    const merged = mergeMantineTheme(DEFAULT_THEME, theme);
    const { variables, light, dark } = schemeVariables;
    const schemes = {
      variables,
      light: { '--mantine-color-scheme': 'light', ...light },
      dark: { '--mantine-color-scheme': 'dark', ...dark },
    };
    return (
      convertCssVariables(defaultCssVariablesResolver(merged), ':root') +
      convertCssVariables(schemes, ':root')
    );
  },
});

/** A `.br` and a `.gz` file beside each text file, so that the server compresses nothing. */
const compressed = () => ({
  name: 'cartwright:compressed',
  apply: 'build',
  // Of the files as they were written: before that, Vite still replaces its own marks in the code.
  async writeBundle({ dir }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /\.(js|css|html|svg)$/.test(name));
    for (const file of texts.map((name) => join(dir, name))) {
      const source = await readFile(file);
      if (source.length < 1000) continue;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(source, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(source, { level: 9 }));
    }
  },
});

export default defineConfig({
  root,
  plugins: [react(), themeVariables(), compressed()],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The first page's scripts are limited after compression.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': process.env.CONSOLE ?? 'http://127.0.0.1:8490' } },
});
