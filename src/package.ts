import { existsSync, readFileSync } from 'node:fs';

/** The nearest folder above this file that has a package.json: the same for the source and for the build. */
const find = (from: URL): URL => {
  const above = new URL('..', from);
  return existsSync(new URL('package.json', above)) || above.href === from.href ? above : find(above);
};

/** Where package.json and the samples are. */
export const packageFolder: URL = find(new URL(import.meta.url));

/** Version and description of the package. */
export const readPackage = (): { version: string; description: string } =>
  JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'));
