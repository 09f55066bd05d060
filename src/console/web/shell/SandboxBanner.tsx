import { Icon } from '../components/Icon.tsx';
import { useMe } from '../data/session.ts';
import css from './LiveBanner.module.css';

/** Says on every page that nothing here is real. */
export const SandboxBanner = () =>
  useMe().isSandbox ? (
    <p className={css.banner}>
      <Icon name="alert" />
      <span>
        <strong>Sandbox.</strong> No order here is real: they go to a service on this machine, and their
        numbers begin with SANDBOX.
      </span>
    </p>
  ) : null;
