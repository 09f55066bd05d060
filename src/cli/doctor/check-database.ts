import { stat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { hasEmbeddedPostgres } from '../../embedded/server-location.ts';
import { UserError } from '../../errors.ts';
import { placeOf } from '../../ledger/database-address.ts';
import { type DatabaseFacts, inspectDatabase } from '../../ledger/inspect-database.ts';
import { showBytes } from '../../show-bytes.ts';
import { openDatabaseToInspect } from '../../worker/open-ledger.ts';
import type { CommandContext } from '../run-command.ts';
import {
  aboutClock,
  aboutSpace,
  type Finding,
  fine,
  isThisMachine,
  note,
  problem,
  spaceOf,
} from './finding.ts';

/** Connections of one process with the queue on Redis, or on Postgres. */
const connectionsOf = ({ redisUrl }: Config): number => (redisUrl === undefined ? 48 : 24);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const aboutTls = (url: string, { tls }: DatabaseFacts): Finding => {
  const check = 'database_tls';
  if (tls === undefined) {
    if (isThisMachine(hostOf(url))) return fine(check, 'It is on this machine, so it needs no TLS.');
    return problem(
      check,
      'The connection is not encrypted: purchase orders and the password can be read on the network.',
      'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE if the certificate is of your own authority.',
    );
  }
  const mode = new URL(url).searchParams;
  return mode.get('sslmode') === 'require' && !mode.has('sslrootcert')
    ? note(
        check,
        `The connection is encrypted (${tls}), but the certificate is not checked (sslmode=require).`,
        'Use sslmode=verify-full, so that nobody can pose as the database.',
      )
    : fine(check, `The connection is encrypted (${tls}).`);
};

const aboutRights = ({ user, database, mayCreate, foreignSchemas }: DatabaseFacts): Finding => {
  const check = 'database_privileges';
  if (foreignSchemas.length > 0) {
    return problem(
      check,
      `${foreignSchemas.map((name) => `The schema ${name}`).join(' and ')} does not belong to the user ${user}, who therefore cannot migrate it.`,
      `As its owner, run \`${foreignSchemas.map((name) => `alter schema ${name} owner to ${user}`).join('; ')}\`, and the same for its tables.`,
    );
  }
  return mayCreate
    ? fine(check, `The user ${user} may create schemas and owns those of Cartwright.`)
    : problem(
        check,
        `The user ${user} may not create schemas in the database ${database}.`,
        `Run \`grant create on database ${database} to ${user}\`, or make it the owner of the database.`,
      );
};

const aboutLedger = (ledger: 'current' | 'missing' | UserError): Finding => {
  if (ledger === 'current') return fine('ledger', 'The ledger is of this version.');
  if (ledger === 'missing')
    return note('ledger', 'It has no ledger yet.', '`cartwright up` or `cartwright import` creates it.');
  return problem('ledger', ledger.message, 'Start `cartwright up` of the later one of the two versions.');
};

const findingsOf = async (
  config: Config,
  url: string,
  facts: DatabaseFacts,
  ledger: 'current' | 'missing' | UserError,
): Promise<Finding[]> => {
  const { version, encoding, unsafe, maxConnections, usedConnections, sizeBytes, aheadMs } = facts;
  const builtIn = config.databaseUrl === undefined;
  const where = builtIn ? `built in, in ${config.dataFolder}` : `at ${placeOf(url)}`;
  const needed = connectionsOf(config);
  // Only a folder that exists here can belong to a server on this machine.
  const folder = builtIn
    ? config.dataFolder
    : facts.dataFolder !== undefined &&
        isThisMachine(hostOf(url)) &&
        (await stat(facts.dataFolder).catch(() => undefined))
      ? facts.dataFolder
      : undefined;
  const space = folder === undefined ? undefined : await spaceOf(folder).catch(() => undefined);
  return [
    fine('database_version', `Postgres ${version}, ${where}; the database has ${showBytes(sizeBytes)}.`),
    aboutLedger(ledger),
    aboutTls(url, facts),
    aboutRights(facts),
    aboutClock('database_clock', aheadMs, {
      toleratedMs: 5000,
      otherwise:
        'Synchronise the clocks of both machines (NTP). Times in logs and in the ledger do not match until then.',
    }),
    space
      ? aboutSpace('database_space', space)
      : note(
          'database_space',
          'How much space it has left cannot be seen from here.',
          'Watch the disk of the database server.',
        ),
    ...(builtIn
      ? []
      : [
          maxConnections < needed
            ? problem(
                'database_connections',
                `It allows ${maxConnections} connections, and one process opens up to ${needed}.`,
                'Raise max_connections, use PgBouncer, or set REDIS_URL, with which a process needs half as many.',
              )
            : fine(
                'database_connections',
                `It allows ${maxConnections} connections, of which ${usedConnections} are in use; one process opens up to ${needed}.`,
              ),
        ]),
    encoding === 'UTF8'
      ? fine('database_encoding', 'Its encoding is UTF8.')
      : problem(
          'database_encoding',
          `Its encoding is ${encoding}, which cannot store every name.`,
          'Create the database with `encoding UTF8`, and restore the ledger into it.',
        ),
    ...(unsafe.length > 0
      ? [
          problem(
            'database_durability',
            `A crash of the server may lose what was committed (${unsafe.join(', ')}), and then an order could be placed twice.`,
            'Set them to on.',
          ),
        ]
      : [fine('database_durability', 'It keeps what was committed, also in a crash.')]),
  ];
};

/** Checks the database. `ledger` stays open until the command ends; undefined: there is none of this version. */
export const checkDatabase = async ({
  config,
  logger,
  terminal,
  atEnd,
}: CommandContext): Promise<{
  findings: Finding[];
  ledger: Awaited<ReturnType<typeof openDatabaseToInspect>> | undefined;
}> => {
  if (config.databaseUrl === undefined && !(await hasEmbeddedPostgres(config.dataFolder))) {
    const none = note(
      'database_version',
      `There is no database yet in ${config.dataFolder}.`,
      '`cartwright up` creates it, or set DATABASE_URL.',
    );
    return { findings: [none], ledger: undefined };
  }
  try {
    const opened = await openDatabaseToInspect({ config, logger, connections: 2, tell: terminal.note });
    atEnd(() => opened.stop());
    const facts = await inspectDatabase(opened.pool);
    return {
      findings: await findingsOf(config, opened.url, facts, opened.ledger),
      ledger: opened.ledger === 'current' ? opened : undefined,
    };
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    return { findings: [problem(thrown.code, thrown.message)], ledger: undefined };
  }
};
