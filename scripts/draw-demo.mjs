// Draws the picture of the README from a run of the demo on a terminal of 80 columns: `npm run picture`.
// An argument is another path for the picture.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/program/cartwright.js', import.meta.url));
const picture = resolve(
  process.argv[2] ?? fileURLToPath(new URL('../docs/images/demo.svg', import.meta.url)),
);
const columns = 80;
/** The output up to the paragraph that names folders: after it comes the time that the run took. */
const firstPart = (output) => {
  const paragraphs = output.split('\n\n');
  const end = paragraphs.findIndex((paragraph) => /[\\/]results/.test(paragraph));
  if (end === -1) throw new Error(`The demo names no folder of results:\n${output}`);
  return paragraphs.slice(0, end).join('\n\n');
};

/** Makes the demo believe that standard output is a terminal. */
const asTerminal = `Object.assign(process.stdout, {
  isTTY: true, columns: ${columns}, hasColors: () => true, getColorDepth: () => 24,
});`;

const runDemo = () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwright-picture-'));
  // As root, Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  try {
    const { NO_COLOR, ...env } = process.env;
    const preload = `data:text/javascript,${encodeURIComponent(asTerminal)}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, main, 'demo'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, FORCE_COLOR: '1' },
    });
    if (status !== 0) throw new Error(`The demo exited with ${status}:\n${stdout}${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Breaks a line like a terminal; escape sequences take no column. */
const wrap = (line) => {
  const lines = [''];
  let column = 0;
  for (const [part] of line.matchAll(/\u001b\[\d+m|./gu)) {
    if (!part.startsWith('\u001b')) {
      if (column === columns) {
        lines.push('');
        column = 0;
      }
      column += 1;
    }
    lines[lines.length - 1] += part;
  }
  return lines;
};

const cell = { width: 8.43, height: 19 };
const margin = 16;
const colours = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };
const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const drawLine = (line, at) => {
  let style = '';
  const spans = line.split(/(\u001b\[\d+m)/).map((part) => {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined)
      return style && part ? `<tspan${style}>${escapeText(part)}</tspan>` : escapeText(part);
    if (code === '1') style = ' font-weight="bold"';
    else if (code === '2') style = ' opacity="0.7"';
    else style = colours[code] ? ` fill="${colours[code]}"` : '';
    return '';
  });
  return `<text x="${margin}" y="${margin + (at + 1) * cell.height - 5}">${spans.join('')}</text>`;
};

const draw = (text) => {
  const lines = text.split('\n').flatMap(wrap);
  const width = Math.ceil(columns * cell.width) + 2 * margin;
  const height = lines.length * cell.height + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:space="preserve">`,
    '<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre }</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...lines.map((line, at) => (line === '' ? '' : drawLine(line, at))).filter((line) => line !== ''),
    '</svg>',
    '',
  ].join('\n');
};

// The port differs in each run.
const shown = firstPart(runDemo()).replace(/127\.0\.0\.1:\d+/, '127.0.0.1:8480');
writeFileSync(picture, draw(`$ cartwright demo\n${shown}`));
