// The server-side part of the web app; the build makes dist/console-view of it.
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { Me } from '../../api-contract/access.ts';
import { type FirstAnswer, firstQueriesOf } from './data/first-data.ts';
import { MeContext } from './data/session.ts';
import { createConsoleRouter } from './router.tsx';
import { theme } from './theme.ts';

export { firstQueriesOf };

/** Renders the page Today as HTML, without browser-only data. Undefined for other pages, for which the first answers are enough. */
export const renderFirstView = async (
  page: string,
  answers: readonly FirstAnswer[],
): Promise<string | undefined> => {
  if (page !== '/') return undefined;
  const client = new QueryClient();
  for (const { queryKey, data } of answers) client.setQueryData(queryKey, data);
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [page] }));
  await router.load();
  return renderToString(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <MeContext value={client.getQueryData<Me>(['me'])}>
          <RouterProvider router={router} />
        </MeContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
};
