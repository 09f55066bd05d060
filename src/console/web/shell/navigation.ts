import type { LinkProps } from '@tanstack/react-router';
import type { Role } from '../../../api-contract/access.ts';
import type { IconName } from '../components/Icon.tsx';

interface Place {
  to: NonNullable<LinkProps['to']>;
  word: string;
  icon: IconName;
  /** The minimum role for the page. */
  role: Role;
}

/** The pages of the navigation, in groups. */
const places: { group: string; places: Place[] }[] = [
  {
    group: 'Work',
    places: [
      { to: '/', word: 'Today', icon: 'today', role: 'viewer' },
      { to: '/purchase-orders', word: 'Purchase orders', icon: 'orders', role: 'viewer' },
      { to: '/orders', word: 'Orders', icon: 'truck', role: 'viewer' },
      { to: '/imports', word: 'Imports', icon: 'imports', role: 'viewer' },
      { to: '/upload', word: 'Upload', icon: 'upload', role: 'operator' },
    ],
  },
  {
    group: 'Look up',
    places: [
      { to: '/accounts', word: 'Accounts', icon: 'accounts', role: 'viewer' },
      { to: '/statistics', word: 'Statistics', icon: 'chart', role: 'viewer' },
      { to: '/reports', word: 'Reports', icon: 'reports', role: 'viewer' },
      { to: '/activity', word: 'Activity', icon: 'activity', role: 'viewer' },
    ],
  },
  {
    group: 'Administer',
    places: [
      { to: '/users', word: 'Users', icon: 'person', role: 'admin' },
      { to: '/tokens', word: 'API tokens', icon: 'tokens', role: 'admin' },
      { to: '/settings', word: 'Settings', icon: 'settings', role: 'admin' },
      { to: '/queues-view', word: 'Queues', icon: 'queues', role: 'admin' },
    ],
  },
];

const roles: Role[] = ['viewer', 'operator', 'admin'];

/** The groups that a role can use. */
export const placesFor = (role: Role) =>
  places
    .map(({ group, places: all }) => ({
      group,
      places: all.filter((place) => roles.indexOf(place.role) <= roles.indexOf(role)),
    }))
    .filter((one) => one.places.length > 0);
