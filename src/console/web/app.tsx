import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Announcements } from './components/Announcements.tsx';
import { colours } from './data/colours.ts';
import { readFirstAnswers } from './data/first-data.ts';
import { queryClient } from './data/query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { SessionGate } from './session/SessionGate.tsx';
import { theme } from './theme.ts';

const router = createConsoleRouter();

/** Replaces the server-rendered view once the page itself is rendered. */
const FirstViewEnds = () => {
  useLayoutEffect(() => document.getElementById('first-view')?.remove(), []);
  return null;
};

/** Starts the app. */
export const start = async (): Promise<void> => {
  const answers = readFirstAnswers();
  for (const { queryKey, data } of answers) queryClient.setQueryData(queryKey, data);
  // Load the page's code first, so that it renders only once and completely. Without answers, the sign-in page comes first.
  if (answers.length > 0) await router.load();
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      {/* The content security policy forbids Mantine's style tags for variables; the build writes a file instead. */}
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colours}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
          <Announcements />
        </QueryClientProvider>
        <FirstViewEnds />
      </MantineProvider>
    </StrictMode>,
  );
};
