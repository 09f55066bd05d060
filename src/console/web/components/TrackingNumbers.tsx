import { Icon } from './Icon.tsx';
import { UntrustedText } from './text.tsx';

interface TrackingNumberProps {
  number: string;
  /** The carrier's page; null: the carrier is not known by the number. */
  href: string | null;
  /** In one line, cut with an ellipsis. */
  inLine?: boolean;
}

/** A tracking number, with a link to its carrier. */
export const TrackingNumber = ({ number, href, inLine = false }: TrackingNumberProps) => {
  const text = <UntrustedText as={inLine ? 'line' : 'inline'} text={number} mono most={60} />;
  // Only web pages: an address from elsewhere must not be able to run a program.
  return href && /^https?:\/\//.test(href) ? (
    <a href={href} target="_blank" rel="noreferrer">
      {text} <Icon name="external" size={12} />
    </a>
  ) : (
    text
  );
};
