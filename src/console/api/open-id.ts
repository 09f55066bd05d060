import { upsertOpenIdUser } from '../../ledger/console/users.ts';
import { callbackPath, createOpenId, type OpenIdAttempt } from '../access/open-id.ts';
import { cookiesOf } from '../access/session-cookie.ts';
import type { SignIn } from '../access/sign-in.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';

/** Where the sign-in page sends a browser. */
export const startPath = '/api/v1/sign-in/openid';

const page = (sentence: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cartwright</title><p>${sentence}</p><p><a href="/">Back to the sign-in page</a></p></html>`;

const sentences = {
  failed:
    'The sign-in did not work: it took longer than ten minutes, was started in another browser, or the provider refused it. The log of Cartwright has the reason.',
  noRole:
    'You are signed in at the provider, but none of your groups may use this console. Ask an administrator.',
  nameTaken:
    'A user of this console with a password has the same name. Ask an administrator to remove or rename that user.',
};

/** Adds sign-in with OpenID Connect, where it is configured. */
export const addOpenIdRoutes = (
  app: ConsoleApp,
  { pool, settings, logger }: ConsoleDeps,
  { signIn }: { signIn: SignIn },
): void => {
  if (!settings.openId || settings.publicUrl === undefined) return;
  const provider = createOpenId(settings.openId, settings.publicUrl);
  const cookie = cookiesOf(settings)('openid');

  const readAttempt = (text: string | undefined): OpenIdAttempt | undefined => {
    try {
      return text === undefined ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      return undefined;
    }
  };

  app.get(
    '/sign-in/openid',
    { config: { needs: 'nothing' }, schema: { hide: true } },
    async (_request, reply) => {
      const { url, attempt } = await provider.start();
      cookie.set(
        reply,
        Buffer.from(JSON.stringify(attempt)).toString('base64url'),
        new Date(Date.now() + 600_000),
      );
      return reply.redirect(url);
    },
  );

  app.get(
    callbackPath.replace('/api/v1', ''),
    { config: { needs: 'nothing' }, schema: { hide: true } },
    async (request, reply) => {
      const refuse = (status: number, sentence: string) =>
        reply.code(status).type('text/html; charset=utf-8').send(page(sentence));
      const attempt = readAttempt(cookie.read(request));
      cookie.clear(reply);
      if (!attempt) return refuse(400, sentences.failed);
      let person: Awaited<ReturnType<typeof provider.finish>>;
      try {
        person = await provider.finish(request.url, attempt);
      } catch (err) {
        logger.warn({ err }, 'a sign-in with OpenID Connect did not work');
        return refuse(400, sentences.failed);
      }
      if (!person) return refuse(403, sentences.noRole);
      const user = await upsertOpenIdUser(pool, person);
      if (!user) return refuse(403, sentences.nameTaken);
      await signIn.start(request, reply, user);
      return reply.redirect('/');
    },
  );
};
