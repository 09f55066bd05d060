import {
  byId,
  changePasswordBody,
  done,
  me,
  seenTimes,
  sessionList,
  setUpBody,
  signInBody,
  signInOptions,
} from '../../api-contract/access.ts';
import { isNameOf } from '../../api-contract/names.ts';
import { endSession, findSession, listSessions } from '../../ledger/console/sessions.ts';
import { addUser, changeUser, findUserById, hasUsers, storeTimes } from '../../ledger/console/users.ts';
import type { FirstLink } from '../access/first-link.ts';
import { isLoopbackAddress } from '../access/own-site.ts';
import { checkPassword, hashPassword } from '../access/secrets.ts';
import type { SignIn } from '../access/sign-in.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { actorOf, personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { startPath } from './open-id.ts';
import { routesOf } from './routes-of.ts';

const { open, view } = routesOf('Access');
const isDone = { done: true } as const;

/** Adds sign-in, sign-out, the first user, and the person's own sessions. */
export const addAccessRoutes = (
  app: ConsoleApp,
  { pool, settings, config }: ConsoleDeps,
  { signIn, firstLink }: { signIn: SignIn; firstLink: FirstLink },
): void => {
  app.get('/sign-in', open('How people can sign in', signInOptions), async () => ({
    password: true,
    openId: settings.openId ? { url: startPath } : null,
    needsFirstUser: !settings.openId && !(await hasUsers(pool)),
  }));

  app.post(
    '/sign-in',
    open('Sign in with a password', done, { body: signInBody }),
    async (request, reply) => {
      const { name, password } = request.body;
      await signIn.start(request, reply, await signIn.check(name, password, request.ip));
      return isDone;
    },
  );

  app.post(
    '/set-up',
    open('Make the first admin with the one-time link', done, {
      description: 'Works only on the machine that runs the console, and only while there is no user.',
      body: setUpBody,
    }),
    async (request, reply) => {
      const { link, name, password } = request.body;
      const user =
        isLoopbackAddress(request.ip) && firstLink.isValid(link)
          ? await addUser(
              pool,
              { name, password: await hashPassword(password), role: 'admin', accounts: null },
              { who: name, via: 'console' },
              { first: true },
            )
          : undefined;
      if (!user) {
        throw new ConsoleProblem(
          'gone',
          'This link has expired or was used, or the console has users already. Sign in, or restart `cartwright up` for a new link.',
        );
      }
      firstLink.forget();
      await signIn.start(request, reply, user);
      return isDone;
    },
  );

  app.post('/sign-out', view('End the session of this browser', done), async (request, reply) => {
    const { sessionId } = personOf(request);
    if (sessionId !== undefined) await endSession(pool, sessionId, actorOf(request), { action: 'sign_out' });
    signIn.clear(reply);
    return isDone;
  });

  app.get('/me', view('Who is signed in', me), async (request) => {
    const { id, name, role, accounts, sessionId } = personOf(request);
    const session = sessionId === undefined ? undefined : await findSession(pool, sessionId);
    return {
      id,
      name,
      role,
      accounts: accounts === 'all' ? ('all' as const) : [...accounts],
      hasPassword: session?.hasPassword ?? false,
      sessionEnds: session?.endsAt.toISOString() ?? null,
      isSandbox: config.isSandbox,
      times: session?.times ?? ('mixed' as const),
      zone: session?.zone ?? ('account' as const),
    };
  });

  app.put('/me/times', view('Choose how you see times', done, { body: seenTimes }), async (request) => {
    const { id, sessionId } = personOf(request);
    if (sessionId === undefined)
      throw new ConsoleProblem('not_possible', 'A token sees no pages. Sign in to choose how you see times.');
    await storeTimes(pool, id, request.body);
    return isDone;
  });

  app.put(
    '/me/password',
    view('Change your own password', done, {
      description: 'All other sessions of the user end.',
      body: changePasswordBody,
    }),
    async (request) => {
      const { id, name, sessionId } = personOf(request);
      const user = sessionId === undefined ? undefined : await findUserById(pool, id);
      if (!user?.password) throw new ConsoleProblem('not_possible', 'You sign in without a password here.');
      if (isNameOf(request.body.next, name))
        throw new ConsoleProblem('invalid', 'The new password must not be little more than the user name.');
      await signIn.check(name, request.body.current, request.ip);
      if ((await checkPassword(request.body.next, user.password)) !== 'wrong') {
        throw new ConsoleProblem('invalid', 'The new password must differ from the present one.');
      }
      const password = await hashPassword(request.body.next);
      await changeUser(pool, id, { password }, actorOf(request), { keepSession: sessionId });
      return isDone;
    },
  );

  app.get(
    '/sessions',
    view('Browsers that are signed in: your own, or those of everybody for an admin', sessionList),
    async (request) => {
      const { id, role, sessionId } = personOf(request);
      const rows = await listSessions(pool, settings.session, role === 'admin' ? undefined : id);
      return { items: rows.map((row) => ({ ...row, current: row.id === sessionId })) };
    },
  );

  app.delete('/sessions/:id', view('End a session', done, { params: byId }), async (request) => {
    const { id, role } = personOf(request);
    const ended = await endSession(pool, request.params.id, actorOf(request), {
      userId: role === 'admin' ? undefined : id,
      action: 'session_ended',
    });
    if (!ended) throw new ConsoleProblem('not_found', 'There is no such session; it may have ended.');
    return isDone;
  });
};
