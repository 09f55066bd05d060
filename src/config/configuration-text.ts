import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Config } from './config.ts';
import { removedMark, settingsNode, withoutSecrets, withSecretsOfBefore } from './secret-settings.ts';

/**
 * The configuration file as YAML, without comments and with its secrets replaced by a mark with which it is refused until they are
 * filled in; null: there is no file.
 */
export const configurationText = ({ file }: Pick<Config, 'file'>): string | null =>
  file === undefined
    ? null
    : stringify(
        withoutSecrets(
          parse(readFileSync(file, 'utf8')) ?? {},
          withSecretsOfBefore(settingsNode()),
          removedMark,
        ),
      );
