import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = async (name: string) => parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));

interface Service {
  env_file?: { path: string; required: boolean }[];
  volumes: string[];
}

test('the example works in the containers: its variables are passed, and its folders are in the volumes', async () => {
  const { services } = (await read('docker-compose.yml')) as { services: Record<string, Service> };
  for (const name of ['worker', 'work'])
    expect(services[name]!.env_file, name).toEqual([{ path: 'cartwright.env', required: false }]);
  const { accounts } = await read('cartwright.example.yaml');
  for (const { folder = '/data' } of Object.values(accounts) as { folder?: string }[])
    expect(folder).toMatch(/^\/data/);
});
