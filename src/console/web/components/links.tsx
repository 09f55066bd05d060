import { Link } from '@tanstack/react-router';
import { UntrustedText, type UntrustedTextProps } from './UntrustedText.tsx';

interface LinkProps extends Omit<UntrustedTextProps, 'text'> {
  id: string;
  name: string;
  onClick?: () => void;
}

export const PoLink = ({ id, name, onClick, ...text }: LinkProps) => (
  <Link to="/purchase-orders/$id" params={{ id }} onClick={onClick}>
    <UntrustedText text={name} {...text} />
  </Link>
);

export const ImportLink = ({ id, name, onClick, ...text }: LinkProps) => (
  <Link to="/imports/$id" params={{ id }} onClick={onClick}>
    <UntrustedText text={name} {...text} />
  </Link>
);

export const AccountLink = ({ account, as }: { account: string; as?: 'line' }) => (
  <Link to="/accounts/$account" params={{ account }}>
    <UntrustedText text={account} as={as} />
  </Link>
);
