import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { apiUrl } from '../data/request.ts';
import { Icon } from './Icon.tsx';

interface DownloadProps {
  href: string;
  children: ReactNode;
  size?: 'sm' | 'xs';
  /** Accessible name instead of the word. */
  name?: string;
}

export const Download = ({ href, children, size = 'sm', name }: DownloadProps) => (
  <Button
    component="a"
    href={href}
    download
    size={size}
    variant="default"
    leftSection={<Icon name="download" size={size === 'xs' ? 13 : 16} />}
    aria-label={name}
  >
    {children}
  </Button>
);

const formats = [
  { format: 'xlsx', label: 'Template (Excel)' },
  { format: 'csv', label: 'Template (CSV)' },
] as const;

/** Downloads of the template for purchase files of an account. */
export const TemplateButtons = ({ account }: { account: string }) => (
  <div className="row">
    {formats.map(({ format, label }) => (
      <Download key={format} href={apiUrl(`/accounts/${encodeURIComponent(account)}/template`, { format })}>
        {label}
      </Download>
    ))}
  </div>
);
