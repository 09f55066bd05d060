import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface DownloadProps {
  href: string;
  children: ReactNode;
  size?: 'sm' | 'xs';
  /** What screen readers say in place of the word. */
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
