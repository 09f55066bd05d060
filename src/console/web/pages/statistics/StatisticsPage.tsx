import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { StatisticsAnswer } from '../../../../api-contract/statistics.ts';
import { Download } from '../../components/Download.tsx';
import { AccountFilter, FilterBar, FilterSelect } from '../../components/FilterBar.tsx';
import { Empty, ListBody, PageHead, Panel } from '../../components/page-parts.tsx';
import { Time } from '../../components/text.tsx';
import { formatCountOf } from '../../data/format.ts';
import { apiUrl, useRead } from '../../data/request.ts';
import type { SearchOf } from '../../data/search-params.ts';
import css from './Chart.module.css';
import { MeasurePanel } from './MeasurePanel.tsx';
import { measuresOf } from './measures.ts';

const units: [value: string, word: string][] = [
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
];
const withinChoices = ['0', '1', '2', '5', '7', '14', '30'];

const Filters = ({ search }: { search: SearchOf<'/statistics'> }) => {
  const usual = search.span === '13m' ? 'week' : 'day';
  return (
    <FilterBar search={search}>
      <AccountFilter />
      <FilterSelect
        name="span"
        label="Time span"
        all="Last 90 days"
        choices={[['13m', 'Last 13 months']]}
        also={() => ({ by: undefined })}
      />
      <FilterSelect
        name="by"
        label="Summed up"
        all={units.find(([unit]) => unit === usual)![1]}
        choices={units.filter(([unit]) => unit !== usual)}
      />
      <FilterSelect
        name="within"
        label="To ship within"
        all="Within 3 days"
        choices={withinChoices.map((days): [string, string] => [
          days,
          days === '0' ? 'On the same day' : `Within ${formatCountOf(Number(days), 'day')}`,
        ])}
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

/** Orders, pieces, money, shipments, holds and failures, as charts and figures. */
const StatisticsPage = () => {
  const search = useSearch({ from: '/statistics' });
  const { account } = search;
  const list = useRead<StatisticsAnswer>(['statistics', search], '/statistics', {
    query: search,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const csvOf = (format: string) => apiUrl('/statistics', { ...search, format });
  return (
    <>
      <PageHead title="Statistics" lead={list.data ? <Lead answer={list.data} /> : '\u00a0'}>
        <Download href={csvOf('csv')}>CSV</Download>
        <Download href={csvOf('reasons.csv')}>Reasons as CSV</Download>
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
                  csv={csvOf(measure.states ? 'reasons.csv' : 'csv')}
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
