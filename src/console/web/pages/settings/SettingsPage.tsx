import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Settings } from '../../../../api-contract/settings.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Empty, Facts, ListBody, PageHead, Panel } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { useRead } from '../../data/request.ts';

/** The effective configuration, with secrets hidden. */
const SettingsPage = () => {
  const [text, setText] = useState('');
  const list = useRead<Settings>(['settings'], '/settings');
  const matching = (list.data?.items ?? []).filter(({ name }) =>
    name.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <>
      <PageHead
        title="Settings"
        lead="As they are in effect. Change them in the configuration file, then have it reloaded: this applies guards, schedules, how files are read, backups and retention, and names what needs a restart."
      />
      <div className="stack">
        {list.data ? (
          <Panel>
            <Facts
              facts={[
                ['Version', list.data.version],
                list.data.file
                  ? ['Configuration file', list.data.file, 'mono']
                  : ['Configuration file', 'none'],
                ['Data folder', list.data.dataFolder, 'mono'],
              ]}
            />
          </Panel>
        ) : null}
        <TextInput
          aria-label="Name of a setting contains"
          placeholder="Name of a setting contains"
          leftSection={<Icon name="search" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Panel flush>
          <ListBody
            list={list}
            isEmpty={() => matching.length === 0}
            empty={<Empty icon="settings" title="No setting has this in its name" />}
          >
            {() => (
              <DataTable
                caption="Settings"
                rows={matching}
                keyOf={({ name }) => name}
                columns={[
                  { title: 'Setting', lead: true, mono: true, text: ({ name }) => name },
                  {
                    title: 'Value',
                    cell: ({ value }) =>
                      value === null ? (
                        <span className="dim">hidden</span>
                      ) : (
                        <UntrustedText text={value} mono />
                      ),
                  },
                ]}
              />
            )}
          </ListBody>
        </Panel>
      </div>
    </>
  );
};

export default SettingsPage;
