// Runs the steps of the Dockerfile without a container engine, and starts the result: `npm run check:image [-- --keep FOLDER]`.
// Each stage is a folder with the Debian and the Node of its base image, and its steps run in it with chroot. Needs Linux,
// root, debootstrap, unshare and ip, and takes several minutes. `--keep` keeps the base for the next time.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDockerfile } from './read-dockerfile.mjs';

const { values } = parseArgs({ options: { keep: { type: 'string' } } });
const project = fileURLToPath(new URL('..', import.meta.url));
process.chdir(project);
const say = (text) => process.stdout.write(`${text}\n`);
const fail = (text) => {
  throw new Error(text);
};

if (process.getuid?.() !== 0) fail('This needs root, for chroot.');
for (const program of ['debootstrap', 'unshare', 'ip'])
  if (spawnSync(program, ['--version']).error)
    fail(`${program} is not installed. On Debian: apt-get install debootstrap util-linux iproute2`);

const work = mkdtempSync(join(tmpdir(), 'cartwright-image-'));
const nodeUser = { name: 'node', id: 1000 };

/** Node's image: its Debian, its Node with npm, and its user. */
const makeBase = (image) => {
  const [, node, release] =
    /^node:(\d+)-([a-z]+)-slim$/.exec(image) ?? fail(`${image} is not node:N-RELEASE-slim`);
  const root = join(values.keep === undefined ? work : resolve(values.keep), `base-${node}-${release}`);
  if (existsSync(join(root, 'usr/local/bin/npm'))) return root;
  rmSync(root, { recursive: true, force: true });
  say(`Base: Debian ${release} with Node ${node}`);
  execFileSync('debootstrap', ['--variant=minbase', release, root], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // No stage may have this name, because each has a folder here.
  const packages = join(work, '.node-and-npm');
  mkdirSync(packages);
  // --omit=optional would leave Node itself out.
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefix', packages, `node@${node}`, 'npm@11'],
    { stdio: 'inherit' },
  );
  const local = join(root, 'usr/local');
  cpSync(join(packages, 'node_modules/node/bin/node'), join(local, 'bin/node'), { dereference: true });
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(join(packages, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm')]);
  execFileSync('chroot', [
    root,
    'useradd',
    '--create-home',
    '--uid',
    String(nodeUser.id),
    '--user-group',
    nodeUser.name,
  ]);
  return root;
};

// The chroot also uses this machine's registry proxy or mirror.
const ofMachine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|npm_config_(registry|proxy|https_proxy|noproxy))$/i.test(name),
  ),
);
/** Additional certificate authorities that this machine trusts, such as that of its proxy. */
const authorities = process.env.NODE_EXTRA_CA_CERTS;
if (authorities) ofMachine.NODE_EXTRA_CA_CERTS = '/etc/machine-authorities.pem';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The command that runs a program in a stage; the process becomes that program, so that signals reach it. */
const inside = ({ root, env, user, folder }, args, { setUp = '', more = {} } = {}) => {
  const home = user === nodeUser.name ? `/home/${user}` : '/root';
  const all = { PATH: path, HOME: home, ...env, ...more };
  const who = user === nodeUser.name ? [`--userspec=${nodeUser.id}:${nodeUser.id}`] : [];
  const script = `${setUp} mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot ${who.join(' ')} "$0" /usr/bin/env -i "$@"`;
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return [
    '--mount',
    'sh',
    '-c',
    script,
    root,
    ...pairs,
    '/bin/sh',
    '-c',
    'cd "$0" && exec "$@"',
    folder,
    ...args,
  ];
};

const copy = (stages, stage, { from, sources, target }) => {
  const fromRoot = from === undefined ? project : stages.get(from).root;
  const to = join(stage.root, resolve(stage.folder, target));
  for (const source of sources) {
    const path = join(fromRoot, source);
    const isFolder = statSync(path).isDirectory();
    const goal = isFolder || !/\/$/.test(target) ? to : join(to, basename(path));
    mkdirSync(isFolder ? goal : join(goal, '..'), { recursive: true });
    execFileSync('cp', ['-a', ...(isFolder ? [`${path}/.`] : [path]), goal]);
    execFileSync('chown', ['-R', 'root:root', goal]);
  }
};

const build = (stages, { name, image, steps, ...started }) => {
  const stage = { name, ...started, root: join(work, name), env: {}, user: 'root', folder: '/' };
  execFileSync('cp', ['-a', makeBase(image), stage.root]);
  cpSync('/etc/resolv.conf', join(stage.root, 'etc/resolv.conf'), { dereference: true });
  if (authorities)
    cpSync(authorities, join(stage.root, ofMachine.NODE_EXTRA_CA_CERTS), { dereference: true });
  for (const step of steps) {
    const begun = performance.now();
    if (step.kind === 'workdir') {
      stage.folder = resolve(stage.folder, step.path);
      mkdirSync(join(stage.root, stage.folder), { recursive: true });
    } else if (step.kind === 'env') {
      const [, key, value] = /^([^=]+)=(.*)$/.exec(step.pair);
      stage.env[key] = value;
    } else if (step.kind === 'user') stage.user = step.name;
    else if (step.kind === 'copy') copy(stages, stage, step);
    else {
      const { status } = spawnSync(
        'unshare',
        inside(stage, ['/bin/sh', '-c', step.command], { more: ofMachine }),
        {
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      );
      if (status !== 0) fail(`${name}: RUN ${step.command} ended with ${status}`);
      say(`${name}: RUN ${step.command.slice(0, 90)} … ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
  }
  const size = execFileSync('du', ['-sm', stage.root], { encoding: 'utf8' }).split('\t')[0];
  say(`${name}: ${size} MB with its base`);
  stages.set(name, stage);
  return stage;
};

/** Starts the stage's own command; resolves when `isUp` is true, with a function that stops it like an engine does. */
const start = async (stage, isUp, options = {}) => {
  const begun = performance.now();
  const args = [...stage.entrypoint, ...(options.args ?? stage.cmd)];
  const child = spawn('unshare', [...(options.flags ?? []), ...inside(stage, args, options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const ended = once(child, 'exit');
  let exited = false;
  void ended.then(() => {
    exited = true;
  });
  while (!(await isUp(child))) {
    if (exited || performance.now() - begun > 60_000) fail(`${stage.name} did not start:\n${said}`);
    await sleep(50);
  }
  const seconds = (performance.now() - begun) / 1000;
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) fail(`${stage.name} ended with ${code} after SIGTERM:\n${said}`);
  };
  return { seconds, stop };
};

/** The mock needs no other server: it runs in a network namespace with only a loopback. */
const checkMock = async (stage) => {
  const isHealthy = (child) =>
    spawnSync('nsenter', [
      '--target',
      String(child.pid),
      '--net',
      'unshare',
      ...inside(stage, stage.healthcheck),
    ]).status === 0;
  const running = await start(stage, isHealthy, { flags: ['--net'], setUp: 'ip link set lo up &&' });
  await running.stop();
  say(`mock: healthy after ${running.seconds.toFixed(1)} s without a network, ends with 0 after SIGTERM`);
};

/** The worker with a Postgres, as in docker-compose.yml. */
const checkWorker = async (stage) => {
  const keeper = spawn(process.execPath, ['dist/test/support/keep-postgres.js', join(work, 'postgres')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [url] = await once(createInterface(keeper.stdout), 'line');
    const data = join(stage.root, 'data');
    writeFileSync(join(data, 'cartwright.yaml'), 'console: { port: 0 }\naccounts: { north: {} }\n');
    const more = { DATABASE_URL: url };
    const run = (...args) => spawnSync('unshare', inside(stage, args, { more }), { encoding: 'utf8' });
    const version = run('cartwright', '--version');
    if (version.status !== 0) fail(`cartwright --version: ${version.stderr}`);
    const isUp = () => {
      const { status, stdout } = run('cartwright', 'status', '--json');
      return status === 0 && JSON.parse(stdout).workers?.length > 0;
    };
    const running = await start(stage, isUp, { more });
    const inbox = join(data, 'accounts/north/inbox');
    if (statSync(inbox).uid !== nodeUser.id) fail(`${inbox} does not belong to the user of the image`);
    await running.stop();
    say(
      `last: \`up\` works as user ${stage.user} after ${running.seconds.toFixed(1)} s, ends with 0 after SIGTERM`,
    );
  } finally {
    keeper.stdin.end();
    await once(keeper, 'exit');
  }
};

try {
  chownSync(work, 0, 0);
  execFileSync('chmod', ['755', work]);
  const stages = new Map();
  for (const stage of readDockerfile('Dockerfile')) {
    const built = build(stages, stage);
    if (built.name === 'mock') await checkMock(built);
    if (built.name === 'last') await checkWorker(built);
  }
  say('The image can be built, and both of its targets start.');
} finally {
  rmSync(work, { recursive: true, force: true });
}
