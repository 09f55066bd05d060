import { z } from 'zod';
import { id } from './basics.ts';

/** The lists that have saved views. */
export const viewPage = z.enum(['purchase-orders', 'orders', 'imports']);
export type ViewPage = z.infer<typeof viewPage>;

/** `GET /views`. */
export const viewsQuery = z.object({ page: viewPage });

const viewName = z.string().trim().min(1).max(80);
const shared = z.boolean().describe('Everybody who may see the page and the account sees it.');

/** `POST /views`. */
export const newView = z.strictObject({
  page: viewPage,
  name: viewName.describe('A view of yours with this name on the page is replaced.'),
  search: z.string().max(2000).describe('The query of the page’s address, such as `state=held&sort=number`.'),
  shared,
});

export const savedView = z.object({
  id,
  page: viewPage,
  name: z.string(),
  search: z.string(),
  shared,
  madeBy: z.string(),
  own: z.boolean().describe('It is yours.'),
  removable: z.boolean().describe('You may remove it: it is yours, or it is shared and you are an admin.'),
});
export type SavedView = z.infer<typeof savedView>;
export const savedViews = z.object({ items: z.array(savedView) });
