import { useColumnZone } from '../data/zones.tsx';

/** Whose times a panel shows: those of the account, in its zone. */
export const ZoneOf = ({ account }: { account: string }) => {
  const { name } = useColumnZone(account);
  return <span className="dim small">Times of {name}</span>;
};
