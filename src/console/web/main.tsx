import './styles/app.css';
import './styles/parts.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import 'virtual:theme.css';
import './styles/tokens.css';
import { listenForPalette } from './shell/typed-ahead.ts';

// What the server has drawn can be read before the program runs: a search that begins then is not lost.
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

// The server has drawn what matters most, and the program is large: first the one is shown, then the other is run. A page in
// the background draws nothing.
if (document.hidden) void start();
else requestAnimationFrame(() => setTimeout(start));
