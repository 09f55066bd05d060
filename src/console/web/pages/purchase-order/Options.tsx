import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { nameOfField } from '../../data/name-of-field.ts';

/** What the file asks of the whole order, for example where it ships to. */
export const Options = ({ options }: { options: Record<string, unknown> }) => {
  const entries = Object.entries(options);
  if (entries.length === 0) return null;
  return (
    <Panel title="Order options">
      <Facts
        facts={entries.map(([name, value]) => [
          nameOfField(name),
          <UntrustedText
            key={name}
            as="block"
            text={typeof value === 'string' ? value : JSON.stringify(value)}
          />,
        ])}
      />
    </Panel>
  );
};
