import type { DefaultTreeAdapterTypes } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** The text that a browser shows in a cell. */
export interface ShownText {
  text: string;
  /** The text is ambiguous: parts are hidden, struck out, in a form field, or joined. */
  unclear: boolean;
}

const names = (list: string) => new Set(list.split(' '));
const blocks = names(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section ul',
);
const unread = names(
  'audio canvas comment datalist iframe math noembed noframes object rp rt script style svg table template title video',
);
const fields = names('select textarea');
const struck = names('del s strike');
const fieldTypes = names('button checkbox hidden image radio reset submit');

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

const hides = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)/i;

const hasClass = (element: Element, classes: ReadonlySet<string>): boolean =>
  classes.size > 0 && (attributeOf(element, 'class') ?? '').split(/\s+/).some((name) => classes.has(name));

/** Whether the style of an element or its classes hides it. */
export const isHidden = (element: Element, hiddenClasses: ReadonlySet<string>): boolean =>
  attributeOf(element, 'hidden') !== undefined ||
  areHiding(attributeOf(element, 'style') ?? '') ||
  hasClass(element, hiddenClasses);

const flat = /(?:^|[;\s])(?:max-)?height\s*:\s*0(?:\.0+)?(?:px|pt|em|cm|mm|in|%)?\s*(?:!|;|$)/i;

/** Whether a row is invisible because it has no height. */
export const isFlat = (row: Element): boolean =>
  /^0(?:px|pt)?$/.test(attributeOf(row, 'height') ?? '') || flat.test(attributeOf(row, 'style') ?? '');

const strikes = /text-decoration(?:-line)?\s*:[^;]*line-through/i;

/** Whether the style of an element or its classes strikes it out. */
export const isStruck = (element: Element, struckClasses: ReadonlySet<string>): boolean =>
  areStriking(attributeOf(element, 'style') ?? '') || hasClass(element, struckClasses);

/** Whether style declarations strike out text. */
export const areStriking = (declarations: string): boolean => strikes.test(declarations);

/** Whether style declarations hide an element. */
export const areHiding = (declarations: string): boolean => hides.test(declarations);

const isElement = (node: ChildNode): node is Element => 'tagName' in node;
const isText = (node: ChildNode): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

/** Whether this node contains non-blank text. */
export const hasText = (node: ChildNode): boolean =>
  isText(node)
    ? node.value.trim() !== ''
    : isElement(node) && !unread.has(node.tagName) && node.childNodes.some(hasText);

const endsInWord = /[\p{L}\p{N}]$/u;
const beginsWithWord = /^[\p{L}\p{N}]/u;

/**
 * Reads the text of a cell as a browser shows it: white space is one blank, and none at the ends; `br` and paragraphs begin a new line.
 * Text of several elements that would merge into one word or number is marked as unclear, because a footnote would become a digit.
 */
export const shownText = (
  cell: Element,
  hiddenClasses: ReadonlySet<string>,
  struckClasses: ReadonlySet<string>,
): ShownText => {
  let text = '';
  let unclear = false;
  let source: unknown;
  const breakLine = () => {
    text = text.replace(/ $/, '');
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    source = undefined;
  };
  const add = (value: string, parent: Element, kept: boolean) => {
    let more = kept ? value : value.replace(/[ \t\n\r\f]+/g, ' ');
    if (!kept && more.startsWith(' ') && (text === '' || /[\n ]$/.test(text))) more = more.slice(1);
    if (more === '') return;
    if (source !== undefined && source !== parent && endsInWord.test(text) && beginsWithWord.test(more))
      unclear = true;
    text += more;
    source = parent;
  };
  const read = (parent: Element, kept: boolean) => {
    for (const node of parent.childNodes) {
      if (isText(node)) add(node.value, parent, kept);
      if (!isElement(node) || unread.has(node.tagName)) continue;
      const { tagName } = node;
      if (tagName === 'br') {
        text = `${text.replace(/ $/, '')}\n`;
        source = undefined;
        continue;
      }
      if (tagName === 'input') unclear ||= !fieldTypes.has((attributeOf(node, 'type') ?? '').toLowerCase());
      else if (fields.has(tagName)) unclear = true;
      else if (
        (struck.has(tagName) || isHidden(node, hiddenClasses) || isStruck(node, struckClasses)) &&
        hasText(node)
      )
        unclear = true;
      if (isHidden(node, hiddenClasses)) continue;
      const block = blocks.has(tagName);
      if (block) breakLine();
      read(node, kept || tagName === 'pre');
      if (block) breakLine();
    }
  };
  read(cell, false);
  return { text: text.replace(/^[ \n\u00a0]+|[ \n\u00a0]+$/g, ''), unclear };
};
