import { Icon } from './Icon.tsx';
import { UntrustedText } from './text.tsx';

interface TrackingNumberProps {
  number: string;
  /** The carrier's page; null: the number does not identify the carrier. */
  href: string | null;
  /** On one line, truncated with an ellipsis. */
  inLine?: boolean;
}

/** A tracking number, with a link to its carrier. */
export const TrackingNumber = ({ number, href, inLine = false }: TrackingNumberProps) => {
  const text = <UntrustedText as={inLine ? 'line' : 'inline'} text={number} mono most={60} />;
  // Only http(s) links, so that an address from the service cannot run a script.
  return href && /^https?:\/\//.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer">
      {text} <Icon name="external" size={12} />
    </a>
  ) : (
    text
  );
};
