import pg from 'pg';

/** Postgres settings of a session, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

type Callback = (error: Error | null, result?: unknown) => void;

/** Fields of pg's Query that its types lack. */
interface QueryInternals {
  submit(connection: pg.Connection): unknown;
  queryMode: string | undefined;
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
interface ConnectionInternals {
  parse(statement: { text: string; name: string; types?: unknown }): void;
  bind(values: object): void;
  execute(portal: object): void;
}
const QueryBase = pg.Query as unknown as new (
  config: object,
  values: unknown,
  callback: Callback,
) => QueryInternals;

const quote = (text: string): string => pg.escapeLiteral(text);

/**
 * A statement that carries its session's settings, valid for its transaction. Both are sent in one message as one transaction, so a pooler
 * executes them on the same connection, without an extra round trip.
 */
class StatementWithSettings extends QueryBase {
  private settingsAnswerDue = false;
  private readonly client: SessionClient;

  constructor(client: SessionClient, config: object, values: unknown, callback: Callback) {
    super(config, values, callback);
    this.client = client;
  }

  override submit(connection: pg.Connection) {
    // Within a transaction, `begin` has already applied the settings, and a simple query may consist of several statements.
    if (!this.client.isInTransaction()) {
      this.queryMode = 'extended';
      this.settingsAnswerDue = true;
    }
    return super.submit(connection);
  }

  override prepare(connection: pg.Connection) {
    if (this.settingsAnswerDue) {
      const protocol = connection as unknown as ConnectionInternals;
      protocol.parse({ text: this.client.settingsQuery, name: '' });
      protocol.bind({ portal: '', statement: '', values: [] });
      protocol.execute({ portal: '', rows: 0 });
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown) {
    if (!this.settingsAnswerDue) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection) {
    if (this.settingsAnswerDue) this.settingsAnswerDue = false;
    else super.handleCommandComplete(message, connection);
  }
}

const startsTransaction = /^\s*begin\b/i;
const endsTransaction = /^\s*(?:commit|rollback)\b/i;

/**
 * A connection to Postgres with settings of its own. Behind a pooler such as PgBouncer the session is not ours, so each transaction carries
 * the settings, and no statement is prepared by name.
 */
export class SessionClient extends pg.Client {
  /** True if the server is a pooler that runs our transactions on its own sessions. */
  isPooled = false;
  /** For a pooled connection: the query that applies the settings until the end of its transaction. */
  settingsQuery = '';
  private readonly settings: SessionSettings;

  constructor(config: pg.ClientConfig, settings: SessionSettings) {
    super(config);
    this.settings = settings;
    // A connection can break between two queries of its user, or before the pool listens; its next query then fails.
    this.on('error', () => {});
  }

  isInTransaction(): boolean {
    return (this as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() !== 'I';
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a form with a promise and one with a callback.
  override connect(callback?: (error: any, client?: any) => void): any {
    const connecting = super.connect().then(() => this.beginSession());
    if (!callback) return connecting;
    connecting.then(() => callback(null, this), callback);
  }

  private async beginSession(): Promise<void> {
    // A pooler reports its own process numbers. There, the settings must not outlive this query.
    const { processID } = this as unknown as { processID: number | null };
    const names = Object.keys(this.settings);
    try {
      const { rows } = await super.query<{ pid: number; made: string[] }>(
        `select pg_backend_pid() as pid, array(
           select name from unnest($2::text[], $3::text[]) as s(name, value)
           where current_setting(name, true) is not null
             and set_config(name, value, pg_backend_pid() is distinct from $1) is not null) as made`,
        [processID, names, Object.values(this.settings)],
      );
      const { pid, made } = rows[0]!;
      this.isPooled = pid !== processID;
      const calls = made.map((name) => `set_config(${quote(name)}, ${quote(this.settings[name]!)}, true)`);
      this.settingsQuery = `select ${calls.join(', ')}`;
    } catch (error) {
      await this.end().catch(() => {});
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares nine overloads.
  override query(config: any, values?: any, callback?: any): any {
    const done: Callback | undefined = typeof values === 'function' ? values : callback;
    if (!this.isPooled || typeof config?.submit === 'function') return super.query(config, values, callback);
    const { name: _unnamed, ...asked } = typeof config === 'string' ? { text: config } : config;
    const simple = typeof values !== 'object' && asked.values === undefined;
    const send = (callBack: Callback): void => {
      if (simple && startsTransaction.test(asked.text)) {
        super.query(`${asked.text}; ${this.settingsQuery}`, callBack as never);
      } else if (simple && endsTransaction.test(asked.text)) {
        super.query(asked.text, callBack as never);
      } else {
        const given = typeof values === 'function' ? undefined : values;
        super.query(new StatementWithSettings(this, asked, given, callBack) as never);
      }
    };
    if (done) return send(done);
    return new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}
