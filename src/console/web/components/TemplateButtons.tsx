import { Button } from '@mantine/core';
import { apiUrl } from '../data/request.ts';
import { Icon } from './Icon.tsx';

const formats = [
  { format: 'xlsx', label: 'Template (Excel)' },
  { format: 'csv', label: 'Template (CSV)' },
] as const;

/** Downloads of the template for purchase files of an account. */
export const TemplateButtons = ({ account }: { account: string }) => (
  <div className="row">
    {formats.map(({ format, label }) => (
      <Button
        key={format}
        component="a"
        href={apiUrl(`/accounts/${encodeURIComponent(account)}/template`, { format })}
        download
        variant="default"
        leftSection={<Icon name="download" />}
      >
        {label}
      </Button>
    ))}
  </div>
);
