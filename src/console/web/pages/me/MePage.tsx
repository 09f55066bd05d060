import { PageHead } from '../../components/page-parts.tsx';
import { useMe } from '../../data/session.ts';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TimesPanel } from './TimesPanel.tsx';

/** How a person sees times, and the person's own password and sessions. */
const MePage = () => {
  const { name, hasPassword } = useMe();
  return (
    <>
      <PageHead title="Your settings" lead={`Signed in as ${name}`} />
      <div className="stack">
        <TimesPanel />
        {hasPassword ? <PasswordPanel /> : null}
        <SessionsPanel />
      </div>
    </>
  );
};

export default MePage;
