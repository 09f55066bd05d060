// Parses a Dockerfile into its stages. Supports the instructions that ours uses, and refuses all others.
import { readFileSync } from 'node:fs';

/** The instructions, with comments removed and continued lines joined. */
const instructionsOf = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, rest] = /^(\S+)\s+(.*)$/.exec(line);
      return { name: name.toUpperCase(), rest };
    });

const command = (rest) => {
  if (!rest.startsWith('[')) throw new Error(`A command must be a list: ${rest}`);
  return JSON.parse(rest);
};

const copyOf = (rest) => {
  const [, from, paths] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(rest);
  const names = paths.split(/\s+/);
  return { from, sources: names.slice(0, -1), target: names.at(-1) };
};

/**
 * The stages in their order: `steps` are the build steps (`workdir`, `copy`, `run`, `env`, `user`), the rest is the start
 * configuration of a container.
 */
export const readDockerfile = (path) => {
  const stages = [];
  const add = (step) => stages.at(-1).steps.push(step);
  const actions = {
    FROM: (rest) => {
      const [, image, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest);
      stages.push({
        name: name ?? 'last',
        image,
        steps: [],
        entrypoint: [],
        cmd: [],
        healthcheck: undefined,
      });
    },
    WORKDIR: (rest) => add({ kind: 'workdir', path: rest }),
    COPY: (rest) => add({ kind: 'copy', ...copyOf(rest) }),
    RUN: (rest) => add({ kind: 'run', command: rest }),
    ENV: (rest) => add({ kind: 'env', pair: rest }),
    USER: (rest) => add({ kind: 'user', name: rest }),
    EXPOSE: () => {},
    VOLUME: () => {},
    HEALTHCHECK: (rest) => {
      stages.at(-1).healthcheck = command(rest.slice(rest.indexOf('CMD') + 3).trim());
    },
    ENTRYPOINT: (rest) => {
      stages.at(-1).entrypoint = command(rest);
    },
    CMD: (rest) => {
      stages.at(-1).cmd = command(rest);
    },
  };
  for (const { name, rest } of instructionsOf(readFileSync(path, 'utf8'))) {
    if (!(name in actions))
      throw new Error(`scripts/read-dockerfile.mjs does not know ${name}; add it there.`);
    actions[name](rest);
  }
  return stages;
};
