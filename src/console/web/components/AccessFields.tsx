import { Checkbox, NativeSelect } from '@mantine/core';
import type { AccountScope, Role } from '../../../api-contract/access.ts';
import { useAccounts } from '../data/zones.tsx';

interface AccessFieldsProps {
  role: Role;
  accounts: AccountScope;
  onChange: (change: { role?: Role; accounts?: AccountScope }) => void;
}

const roleChoices: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: sees everything, changes nothing' },
  { value: 'operator', label: 'Operator: also uploads, releases, retries, cancels' },
  { value: 'admin', label: 'Admin: also manages users, tokens and queues' },
];

/** The role of a user or token, and its accounts. */
export const AccessFields = ({ role, accounts, onChange }: AccessFieldsProps) => {
  const known = useAccounts().map(({ account }) => account);
  const named = accounts === 'all' ? [] : accounts;
  // Accounts no longer configured can still be removed.
  const offered = [...new Set([...known, ...named])];
  return (
    <>
      <NativeSelect
        label="Role"
        data={roleChoices}
        value={role}
        onChange={(event) => onChange({ role: event.currentTarget.value as Role })}
      />
      <Checkbox
        label="All accounts, also those that are added later"
        checked={accounts === 'all'}
        onChange={(event) =>
          onChange({ accounts: event.currentTarget.checked ? 'all' : offered.slice(0, 1) })
        }
      />
      {accounts === 'all' ? null : (
        <Checkbox.Group
          label="Only these accounts"
          value={named}
          onChange={(chosen) => onChange({ accounts: chosen })}
          error={named.length === 0 ? 'Choose at least one' : undefined}
        >
          <div className="row">
            {offered.map((account) => (
              <Checkbox key={account} value={account} label={account} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
};
