import { apiUrl } from '../data/request.ts';
import { Download } from './Download.tsx';

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
