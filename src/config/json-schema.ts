import { readPackage } from '../package.ts';
import { settingsNode } from './secret-settings.ts';

/**
 * The JSON schema of cartwright.yaml as users write it, with what each setting means, its default and its choices, for editors and other
 * programs. What needs more than one setting (two accounts with one folder, a schedule that is never due) is checked when the file is read.
 */
export const configJsonSchema = (): object => {
  // A secret is a matter of our own logs and pages.
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
