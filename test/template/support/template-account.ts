import { specCodeLists } from '../../../src/contract/carts.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { TemplateAccount } from '../../../src/template/template-columns.ts';

type IntakeInput = Parameters<typeof intakeOptionsSchema.parse>[0];

/** An account for a template. */
export const accountWith = (
  intake: IntakeInput = {},
  more: { guards?: Partial<TemplateAccount['placing']['guards']>; warehouses?: string[] } = {},
): TemplateAccount => ({
  name: 'north',
  intake: intakeOptionsSchema.parse(intake),
  codeLists: { ...specCodeLists, ...(more.warehouses ? { warehouses: more.warehouses } : {}) },
  placing: { guards: { backorder: false, unknownPrice: true, ...more.guards } },
});
