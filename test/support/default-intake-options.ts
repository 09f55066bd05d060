import { type IntakeOptions, intakeOptionsSchema } from '../../src/intake/options.ts';

/** The options of an account that sets none. */
export const defaultIntakeOptions: IntakeOptions = intakeOptionsSchema.parse({});
