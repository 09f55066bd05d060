import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/Icon.tsx';
import { useLiveState } from '../data/live.ts';
import { signOut, useMe } from '../data/session.ts';
import css from './UserMenu.module.css';

const schemes = [
  { value: 'auto', word: 'Like the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const;

/** Who is signed in and may what; colours; sign out. */
export const UserMenu = () => {
  const { name, role, accounts } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isLive = useLiveState() === 'live';
  const leave = async () => {
    await signOut().catch(() => {});
    location.assign('/');
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={css.button!} aria-label={`${name}, ${role}: menu`}>
          <span className={isLive ? css.live : css.notLive} title={isLive ? 'Live' : 'Not live'} />
          <span className={css.name}>{name}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {role}, {accounts === 'all' ? 'all accounts' : accounts.join(', ')}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/me" leftSection={<Icon name="person" />}>
          Password and sessions
        </Menu.Item>
        <Menu.Item component="a" href="/api/docs" leftSection={<Icon name="external" />}>
          API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ value, word }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={colorScheme === value ? <Icon name="check" /> : <span className={css.gap} />}
            onClick={() => setColorScheme(value)}
          >
            {word}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
