import css from './UntrustedText.module.css';

/** Characters that turn the direction of text or hide in it: a name must not make a page read differently. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The text with those characters made visible. */
export const visibleText = (text: string): string =>
  text.replace(invisible, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

export interface UntrustedTextProps {
  /** Text from a file, a service or a person. */
  text: string;
  /** `line`: one line, cut with an ellipsis. `block`: a paragraph of its own. */
  as?: 'line' | 'block' | 'inline' | undefined;
  mono?: boolean | undefined;
  /** The most characters that are shown. */
  most?: number;
}

/** Nobody reads more of an answer; where it matters, there is a download. */
const mostCharacters = 2000;

/** Its beginning, where a text is longer than that. */
const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Text that the console did not write: isolated, with its invisible characters made visible, never wider than its place. */
export const UntrustedText = ({
  text,
  as = 'inline',
  mono = false,
  most = mostCharacters,
}: UntrustedTextProps) => {
  const visible = visibleText(as === 'line' ? text.replaceAll('\n', ' ') : shorten(text, most));
  return (
    <bdi
      className={`${css[as]} ${mono ? 'mono' : ''}`}
      title={
        (as === 'line' && visible.length > 24) || text.length > most
          ? visibleText(text.slice(0, 500))
          : undefined
      }
    >
      {visible}
    </bdi>
  );
};
