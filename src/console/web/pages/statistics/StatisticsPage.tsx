import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { StatisticsAnswer } from '../../../api/schemas/statistics.ts';
import { Empty } from '../../components/Empty.tsx';
import { AccountFilter, FilterBar, FilterSelect, useFilters } from '../../components/FilterBar.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListBody } from '../../components/ListBody.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCountOf } from '../../data/format.ts';
import { apiUrl, request } from '../../data/request.ts';
import css from './Chart.module.css';
import { MeasurePanel } from './MeasurePanel.tsx';
import { measuresOf } from './measures.ts';

type StatisticsSearch = Partial<Record<'account' | 'span' | 'by' | 'within', string>>;

const units: [value: string, word: string][] = [
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
];
const withinChoices = ['0', '1', '2', '5', '7', '14', '30'];

const Filters = ({ search }: { search: StatisticsSearch }) => {
  const set = useFilters(search);
  const { account, span, by, within } = search;
  const usual = span === '13m' ? 'week' : 'day';
  return (
    <FilterBar search={search}>
      <AccountFilter value={account} onChange={(value) => set({ account: value })} />
      <FilterSelect
        label="Time span"
        all="Last 90 days"
        value={span}
        choices={[['13m', 'Last 13 months']]}
        onChange={(value) => set({ span: value, by: undefined })}
      />
      <FilterSelect
        label="Summed up"
        all={units.find(([unit]) => unit === usual)![1]}
        value={by}
        choices={units.filter(([unit]) => unit !== usual)}
        onChange={(value) => set({ by: value })}
      />
      <FilterSelect
        label="To ship within"
        all="Within 3 days"
        value={within}
        choices={withinChoices.map((days): [string, string] => [
          days,
          days === '0' ? 'On the same day' : `Within ${formatCountOf(Number(days), 'day')}`,
        ])}
        onChange={(value) => set({ within: value })}
      />
    </FilterBar>
  );
};

const isNothing = ({ total }: Pick<StatisticsAnswer, 'total'>): boolean =>
  total.orders === 0 && total.held === 0 && total.failed === 0;

const Lead = ({
  answer: { asOf, daysToCount, total },
}: {
  answer: Pick<StatisticsAnswer, 'asOf' | 'daysToCount' | 'total'>;
}) => (
  <>
    {asOf === null ? (
      'What the ledger has is being counted for the first time'
    ) : (
      <>
        As of <Time at={asOf} /> (<Time at={asOf} relative />)
      </>
    )}
    {daysToCount > 0 ? `. ${formatCountOf(daysToCount, 'day')} still to be counted` : ''}.
    {isNothing({ total }) ? '' : ' What is hatched is not over yet.'}
  </>
);

/** How it is going: orders, pieces, money, shipments, and what was held or failed, as charts and figures. */
const StatisticsPage = () => {
  const search = useSearch({ from: '/statistics' });
  const { account } = search;
  const list = useQuery({
    queryKey: ['statistics', search],
    queryFn: ({ signal }) => request<StatisticsAnswer>('/statistics', { query: search, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const csvOf = (format: string) => apiUrl('/statistics', { ...search, format });
  return (
    <>
      <PageHead title="Statistics" lead={list.data ? <Lead answer={list.data} /> : '\u00a0'}>
        <Button
          component="a"
          href={csvOf('csv')}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          CSV
        </Button>
        <Button
          component="a"
          href={csvOf('reasons.csv')}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          Reasons as CSV
        </Button>
      </PageHead>
      <div className="stack">
        <Filters search={search} />
        <ListBody
          list={list}
          isEmpty={isNothing}
          empty={
            <Panel flush>
              <Empty icon="chart" title="No orders in this time">
                {account
                  ? 'Nothing was ordered, held or failed for this account.'
                  : 'Orders are counted here a minute after they were placed.'}
              </Empty>
            </Panel>
          }
        >
          {(answer) => (
            <div className={css.panels}>
              {measuresOf(answer).map((measure) => (
                <MeasurePanel
                  key={measure.key}
                  measure={measure}
                  answer={answer}
                  account={account}
                  csv={csvOf(measure.key === 'held' || measure.key === 'failed' ? 'reasons.csv' : 'csv')}
                />
              ))}
            </div>
          )}
        </ListBody>
      </div>
    </>
  );
};

export default StatisticsPage;
