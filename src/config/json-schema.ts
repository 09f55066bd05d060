import { readPackage } from '../package.ts';
import { settingsNode } from './secret-settings.ts';

/**
 * The JSON schema of cartwright.yaml for editors and other programs, with the meaning, default and choices of each setting. Rules about
 * several settings (two accounts with one folder, a schedule that is never due) are checked when the file is read.
 */
export const configJsonSchema = (): object => {
  // `secret` is only for our own logs and pages.
  const { $schema, ...node } = JSON.parse(
    JSON.stringify(settingsNode(), (key, value) => (key === 'secret' && value === true ? undefined : value)),
  );
  return {
    $schema,
    title: 'cartwright.yaml',
    description: `The configuration of Cartwright ${readPackage().version}. Every setting is optional.`,
    ...node,
  };
};
