import { Link } from '@tanstack/react-router';
import { Empty } from '../components/Empty.tsx';

export const NotFound = () => (
  <Empty icon="search" title="There is no such page">
    The address may be mistyped or from another version. Search with <kbd>/</kbd>, or start from{' '}
    <Link to="/">Today</Link>.
  </Empty>
);
