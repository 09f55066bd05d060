import { existsSync, readFileSync } from 'node:fs';

/** The nearest parent folder with a package.json; works for the source and for the build. */
const find = (from: URL): URL => {
  const above = new URL('..', from);
  return existsSync(new URL('package.json', above)) || above.href === from.href ? above : find(above);
};

/** The folder with package.json and the samples. */
export const packageFolder: URL = find(new URL(import.meta.url));

/** Version and description of the package. */
export const readPackage = (): { version: string; description: string } =>
  JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'));
