import { Drawer } from '@mantine/core';
import { Logo } from '../components/Logo.tsx';
import { Navigation } from './Navigation.tsx';

interface NavigationDrawerProps {
  opened: boolean;
  onClose: () => void;
}

/** The navigation on narrow pages. */
const NavigationDrawer = ({ opened, onClose }: NavigationDrawerProps) => (
  <Drawer opened={opened} onClose={onClose} title={<Logo />} size={264} padding="sm">
    <Navigation />
  </Drawer>
);

export default NavigationDrawer;
