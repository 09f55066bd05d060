import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorSchemeManager,
} from '@mantine/core';

const stored = localStorageColorSchemeManager();

/** The server writes this choice into the page, so that the colours apply before the app runs. */
const tellServer = (chosen: MantineColorScheme): void => {
  const rest = chosen === 'auto' ? '=; max-age=0' : `=${chosen}; max-age=31536000`;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where the console is reached over http.
  document.cookie = `cartwright-colours${rest}; path=/; samesite=lax${secure}`;
};

/** Stores the colour choice in the browser, and in a cookie for the server. */
export const colours: MantineColorSchemeManager = {
  ...stored,
  get: (fallback) => {
    const chosen = stored.get(fallback);
    // Browsers drop cookies sooner than local storage, and earlier versions of the console set none.
    tellServer(chosen);
    return chosen;
  },
  set: (chosen) => {
    stored.set(chosen);
    tellServer(chosen);
  },
};
