import { type IntakeOptions, intakeOptionsSchema } from '../../src/intake/options.ts';

/** The options of an account without settings. */
export const defaultIntakeOptions: IntakeOptions = intakeOptionsSchema.parse({});
