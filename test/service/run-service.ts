import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Logger, silentLogger } from '../../src/logger.ts';
import type { Service } from '../../src/service/build-service.ts';
import { buildService } from '../../src/service/build-service.ts';
import { type ListeningService, listenService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { serviceConfigFor } from '../support/service-config.ts';

/** An answer: status, headers and its JSON. */
interface Answered {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they are about to prove.
  body: any;
}

export type Caller = (
  method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD' | 'PATCH' | 'OPTIONS',
  url: string,
  payload?: object | string,
  headers?: Record<string, string>,
) => Promise<Answered>;

/** Calls the service without a network. Objects are sent as JSON, text as a form. */
export const callerOf =
  (service: Service): Caller =>
  async (method, url, payload, headers = {}) => {
    const type =
      typeof payload === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : undefined;
    const response = await service.app.inject({
      method,
      url,
      headers: { ...type, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const json = /json/.test(String(response.headers['content-type'])) && response.body !== '';
    return {
      status: response.statusCode,
      headers: response.headers,
      body: json ? JSON.parse(response.body) : response.body,
    };
  };

/** The services of one test file, on one separate database; `end` stops them and drops it. */
export const servicesOfTest = async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 3 });
  const folder = await mkdtemp(path.join(tmpdir(), 'dealer-order-service-'));
  const running: Service[] = [];
  let files = 0;
  let dealers = 0;
  return {
    databaseUrl: database.url,
    pool,
    /** Writes a file that exists until the tests end; returns its path. */
    write: async (text: string): Promise<string> => {
      files += 1;
      const file = path.join(folder, `file-${files}.csv`);
      await writeFile(file, text);
      return file;
    },
    /** A service that does not listen, and functions to call it. */
    build: async (
      config: object = {},
      logger: Logger = silentLogger,
    ): Promise<{ service: Service; call: Caller }> => {
      const service = await buildService({
        config: serviceConfigFor({ clockSpeed: 0, poolSize: 4, ...config }),
        logger,
        databaseUrl: database.url,
      });
      running.push(service);
      return { service, call: callerOf(service) };
    },
    /** A service on a free port of loopback, with its own pool or this one. */
    listen: async (config: object = {}, ownPool?: pg.Pool): Promise<ListeningService> => {
      const service = await listenService({
        config: serviceConfigFor({ clockSpeed: 0, poolSize: 4, port: 0, ...config }),
        logger: silentLogger,
        ...(ownPool ? { pool: ownPool } : { databaseUrl: database.url }),
      });
      running.push(service);
      return service;
    },
    /** Makes the database unreachable for a service. */
    cutOff: async (service: Service): Promise<void> => {
      running.splice(running.indexOf(service), 1);
      await service.pool.end();
    },
    /** A configured dealer that no other test uses, so that tests do not see each other's orders. */
    newDealer: (more: object = {}) => {
      dealers += 1;
      const token = `token-${dealers}`;
      return {
        dealer: { name: `dealer-${dealers}`, token, ...more },
        auth: { authorization: `Bearer ${token}` },
      };
    },
    end: async () => {
      await Promise.all(running.map((service) => service.stop()));
      await pool.end();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
};
export type TestServices = Awaited<ReturnType<typeof servicesOfTest>>;
