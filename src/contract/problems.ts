import { z } from 'zod';

/** One field that was refused. */
const problemEntry = z.object({ field: z.string(), code: z.string(), message: z.string() });
export type ProblemEntry = z.infer<typeof problemEntry>;

/** RFC 9457 problem details (spec 7). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    errors: z.array(problemEntry).optional(),
    message: z.string().optional().describe('The problem in one sentence, for clients that read only this.'),
  })
  .meta({
    id: 'Problem',
    description: 'What went wrong (RFC 9457), field by field where fields are the cause.',
  });
export type Problem = z.infer<typeof problem>;
