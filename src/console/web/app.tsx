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

/** Takes the place of what the server has drawn, in the moment in which the page itself is there. */
const FirstViewEnds = () => {
  useLayoutEffect(() => document.getElementById('first-view')?.remove(), []);
  return null;
};

/** Runs the console in this page. */
export const start = async (): Promise<void> => {
  const answers = readFirstAnswers();
  for (const { queryKey, data } of answers) queryClient.setQueryData(queryKey, data);
  // With the part of the program that shows this page, so that it is drawn once and whole. A stranger sees another page first.
  if (answers.length > 0) await router.load();
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      {/* The content security policy forbids the style tags in which Mantine writes its variables; the build makes a file. */}
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
