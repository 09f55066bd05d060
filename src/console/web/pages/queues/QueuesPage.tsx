import { useSearch } from '@tanstack/react-router';
import { PageHead } from '../../components/page-parts.tsx';
import css from './QueuesPage.module.css';

/** Bull Board, the technical view of the job queues, in a frame of the console. */
const QueuesPage = () => {
  const { at = '/queues' } = useSearch({ from: '/queues-view' });
  return (
    <>
      <PageHead
        title="Queues"
        lead="The jobs behind the purchase orders, for engineers. The queues hold only what runs next: a job that is missing or was deleted here loses nothing, because the ledger enqueues it again."
      />
      <iframe
        className={css.board}
        // Allows only the board, whatever the address contains.
        src={/^\/queues(\/|\?|$)/.test(at) ? at : '/queues'}
        title="The queue board"
      />
    </>
  );
};

export default QueuesPage;
