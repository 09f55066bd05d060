import { Button } from '@mantine/core';
import { Icon } from '../../components/Icon.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';

/** The way to the engineers' view of the job queues. */
const QueuesPage = () => (
  <>
    <PageHead title="Queues" lead="The jobs behind the purchase orders, for engineers" />
    <Panel>
      <div className="stack">
        <p>
          The queues hold only what runs next. What happened to a purchase order is on its own page; a job
          that is missing or was deleted here loses nothing, because the ledger enqueues it again.
        </p>
        <div>
          <Button component="a" href="/queues" leftSection={<Icon name="external" />}>
            Open the queue board
          </Button>
        </div>
      </div>
    </Panel>
  </>
);

export default QueuesPage;
