// Vite configuration that bundles the command line into dist/program: commands load fewer than their 350 module files, and start sooner.
import { relative } from 'node:path';
import { defineConfig } from 'vite';

/** Libraries of plain JavaScript with many files. Others need files beside them, or are shared with BullMQ. */
const included = [
  ...['cli-table3', 'string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex', 'is-fullwidth-code-point'],
  ...['commander', 'csv-parse', 'yaml', 'zod'],
];

/** Files beside a module, such as migrations, stay where the compiler puts the module. */
const inPlace = {
  name: 'cartwright:in-place',
  transform: (code, id) => {
    const path = relative('.', id);
    if (!path.startsWith('src/') || !code.includes('import.meta.url')) return undefined;
    const built = JSON.stringify(`../${path.replace(/\.ts$/, '.js')}`);
    return code.replaceAll('import.meta.url', `new URL(${built}, import.meta.url).href`);
  },
};

export default defineConfig({
  publicDir: false,
  plugins: [inPlace],
  ssr: { noExternal: included },
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist/program',
    emptyOutDir: true,
    target: 'node20',
    // People read the stack traces of unexpected errors.
    minify: false,
    rolldownOptions: {
      output: { entryFileNames: 'cartwright.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
