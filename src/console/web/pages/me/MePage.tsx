import { PageHead } from '../../components/PageHead.tsx';
import { useMe } from '../../data/session.ts';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

/** A person's own password and sessions. */
const MePage = () => {
  const { name, hasPassword } = useMe();
  return (
    <>
      <PageHead title="Password and sessions" lead={`Signed in as ${name}`} />
      <div className="stack">
        {hasPassword ? <PasswordPanel /> : null}
        <SessionsPanel />
      </div>
    </>
  );
};

export default MePage;
