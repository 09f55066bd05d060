// Vite configuration of the console's pages in dist/console. `npx vite --config scripts/web.config.mjs` serves them during development.
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

/**
 * Adds the style sheet of each Mantine component to the chunk that uses it, after those of the components it is made of. The
 * style sheet of all components has 280 KB and blocks rendering.
 */
const componentStyles = () => ({
  name: 'cartwright:component-styles',
  transform(code, id) {
    const [, name] = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? [];
    if (name) return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null };
  },
});

/** Preloads the program while the browser renders the server's HTML; the page itself refers only to `main.tsx`, which runs it. */
const preloadProgram = () => ({
  name: 'cartwright:preload-program',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const program = Object.values(bundle).find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith('/web/app.tsx'),
      );
      if (!program) return;
      return [program.fileName, ...program.imports].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      }));
    },
  },
});

/** Adds a `.br` and a `.gz` file beside each text file, so that the server need not compress. */
const compressed = () => ({
  name: 'cartwright:compressed',
  apply: 'build',
  // Works on the written files: until then Vite still replaces placeholders in the code.
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

const folder = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

/** On a slow machine the bundler prints its timings, which look like a warning of `npm ci`. */
const quiet = { checks: { bundlerTimings: false } };

/** The part that the server runs, with all dependencies, because none of these packages is installed with Cartwright. */
const forServer = {
  ssr: join(root, 'first-view.tsx'),
  outDir: folder('console-view'),
  rolldownOptions: { ...quiet, output: { entryFileNames: 'first-view.js' } },
};

export default defineConfig(({ mode }) => ({
  root,
  plugins: [
    react(),
    themeVariables(),
    componentStyles(),
    ...(mode === 'server' ? [] : [preloadProgram(), compressed()]),
  ],
  publicDir: mode === 'server' ? false : 'public',
  // Pre-bundled for development, its components would lack their styles.
  optimizeDeps: { exclude: ['@mantine/core'] },
  build: {
    outDir: folder('console'),
    emptyOutDir: true,
    // One file, because the server's HTML needs the styles of its page at once.
    cssCodeSplit: false,
    target: 'es2023',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A test limits the compressed size of the first page's scripts.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    ...(mode === 'server' ? forServer : { rolldownOptions: quiet }),
  },
  ssr: { noExternal: true },
  ...(mode === 'server' ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  server: { proxy: { '/api': process.env.CONSOLE ?? 'http://127.0.0.1:8490' } },
}));
