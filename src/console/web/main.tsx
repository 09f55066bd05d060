import './styles/app.css';
import './styles/parts.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import 'virtual:theme.css';
import './styles/tokens.css';
import { listenForPalette } from './shell/typed-ahead.ts';

// The server-rendered view is readable before the app runs; keep a search typed meanwhile.
if (document.querySelector('#first-view > *')) listenForPalette(() => {});

const start = async (): Promise<void> => {
  try {
    const app = await import('./app.tsx');
    await app.start();
  } catch {
    const sentence = document.createElement('p');
    sentence.className = 'no-script';
    sentence.textContent =
      'The console could not be loaded. Check that Cartwright runs on its server, and load the page again.';
    document.getElementById('first-view')?.remove();
    document.body.append(sentence);
  }
};

// Let the browser paint the server-rendered view before running the large app. A background page paints nothing, so start at once.
if (document.hidden) void start();
else requestAnimationFrame(() => setTimeout(start));
