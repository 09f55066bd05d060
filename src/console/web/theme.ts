import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent colour: links, primary buttons, focus. Colours of states are in styles/tokens.css. */
const iris: MantineColorsTuple = [
  '#f1f0fe',
  '#e0ddfb',
  '#c5bff6',
  '#a89ff0',
  '#8f83ea',
  '#7a6de4',
  '#6457d6',
  '#5246c0',
  '#443aa3',
  '#352d80',
];

const dark: MantineColorsTuple = [
  '#eceae6',
  '#c9c6c0',
  '#a8a49c',
  '#87837b',
  '#4b4944',
  '#383632',
  '#272624',
  '#1c1b1a',
  '#151514',
  '#0f0f0e',
];

/** The shared theme of Mantine components. Also read by the build, which writes its variables to a CSS file. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  colors: { iris, dark },
  black: '#1d1c1a',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Locking the page's scrolling adds a style tag, which the content security policy forbids; app.css does it.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, closeButtonProps: { 'aria-label': 'Close' } },
    },
    Drawer: { defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } } },
    Checkbox: { defaultProps: { size: 'xs' } },
  },
});

const shared = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-dimmed': 'var(--dim)',
  '--mantine-color-placeholder': 'var(--dim)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--line-control)',
  '--mantine-color-error': 'var(--failed)',
  '--mantine-color-anchor': 'var(--accent)',
};

/**
 * Mantine's own colours, taken from styles/tokens.css in both schemes.
 * @internal also used by the build
 */
export const schemeVariables = { variables: {}, light: shared, dark: shared };
