import { idParams as params } from '../../api-contract/basics.ts';
import {
  correctionAnswer,
  correctionCheck,
  correctionConfirm,
  correctionConfirmed,
  correctionQuery,
  correctionRequest,
  correctionsAnswer,
} from '../../api-contract/corrections.ts';
import { listCorrectionsOfImport, listCorrectionsOfPo } from '../../ledger/console/corrections.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { createCorrectionDesk } from '../corrections/correction-desk.ts';
import { presentCorrection } from '../corrections/present-correction.ts';
import { findImport } from '../find-import.ts';
import { findPoRows } from '../find-purchase-order.ts';
import { routesOf } from './routes-of.ts';

const { act, view } = routesOf('Corrections');

/** Enough for the maximum number of rows with long cells. */
const bodyLimit = 16 * 1_048_576;

/** Adds corrections of POs that were not ordered: their rows, a check of the corrected rows, and the confirmation that makes them an import. */
export const addCorrectionRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool } = deps;
  const desk = createCorrectionDesk(deps);

  app.get(
    '/imports/:id/correction',
    act('The rows of POs that were rejected or failed, to be corrected', correctionAnswer, {
      description: 'Read from the file and checked as they are. Nothing is kept and nothing is sent.',
      params,
      querystring: correctionQuery,
    }),
    async (request, reply) => {
      const { purchaseOrders = null } = request.query;
      const { opened, place, ...checked } = await desk.open(
        request,
        reply,
        request.params.id,
        purchaseOrders,
      );
      return presentCorrection(place.account, opened, checked);
    },
  );

  app.post(
    '/imports/:id/correction/check',
    {
      bodyLimit,
      ...act(
        'What corrected rows would order',
        correctionCheck,
        {
          description: 'Checks them as a file with these rows. Nothing is kept and nothing is sent.',
          params,
          body: correctionRequest,
        },
        { onlyReads: true },
      ),
    },
    async (request, reply) => (await desk.check(request, reply, request.params.id, request.body)).check,
  );

  app.post(
    '/imports/:id/correction',
    {
      bodyLimit,
      ...act('Order the POs of corrected rows that are right', correctionConfirmed, {
        description:
          'They become an import of their own, and the POs of the first one are corrected. What is still wrong stays as it is.',
        params,
        body: correctionConfirm,
      }),
    },
    async (request, reply) => desk.confirm(request, reply, request.params.id, request.body),
  );

  app.get(
    '/imports/:id/corrections',
    view('What persons corrected of an import in the browser, cell by cell', correctionsAnswer, { params }),
    async (request) => {
      const one = await findImport(pool, request, request.params.id);
      return { items: await listCorrectionsOfImport(pool, one.id) };
    },
  );

  app.get(
    '/purchase-orders/:id/corrections',
    view('What persons corrected of a purchase order in the browser, cell by cell', correctionsAnswer, {
      params,
    }),
    async (request) => {
      await findPoRows(pool, request, request.params.id);
      return { items: await listCorrectionsOfPo(pool, request.params.id) };
    },
  );
};
