import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { useCall } from '../../api/api.tsx';
import { byName, useSummary } from '../../app/use-summary.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { Segments } from '../../components/Segments.tsx';
import { CallsTable } from './CallsTable.tsx';
import { ChainMark } from './ChainMark.tsx';
import { costBars } from './cost-bars.ts';
import { CostsTable } from './CostsTable.tsx';
import { EntriesSection } from './EntriesSection.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { Figures } from './Figures.tsx';
import { fillOf } from './fills.ts';
import { ofModel, type ModelChoice } from './of-model.ts';
import { dayOf, DEFAULT_RANGE, rangeInput, RANGES, type Range } from './range.ts';
import { WaitBars } from './WaitBars.tsx';
import { LockWaitsTable, RelayWaitsTable } from './WaitTables.tsx';

const CostChart = lazy(() => import('./CostChart.tsx').then((module) => ({ default: module.CostChart })));
const CUSTOM = 0;

/** What was done, what it cost and how long it waited; every number as a table, every entry below. */
export function Ledger() {
  const { t } = useTranslation(['ledger', 'app']);
  const projects = byName(useSummary()?.projects ?? []);
  const [range, setRange] = useState<Range>(DEFAULT_RANGE);
  const [project, setProject] = useState<string | null>(null);
  const [model, setModel] = useState<ModelChoice>(undefined);
  const { data, error, refetch } = useCall(
    'ledger.totals',
    { ...rangeInput(range), ...(project === null ? {} : { project }) },
    { keepPrevious: true },
  );
  return (
    <main className="main ledger" aria-label={t('app:ledger')}>
      <div className="bar" data-area="filters">
        <h1>{t('app:ledger')}</h1>
        <Segments
          name={t('range')}
          value={'days' in range ? range.days : CUSTOM}
          choices={[
            ...RANGES.map((days) => ({
              value: days,
              text: days === 1 ? t('today') : t('days', { count: days }),
            })),
            { value: CUSTOM, text: t('custom') },
          ]}
          onChoose={(days) => setRange(days === CUSTOM ? { since: monthStart() } : { days })}
        />
        {'since' in range && (
          <input
            type="date"
            className="field since"
            aria-label={t('since')}
            value={range.since}
            max={dayOf(new Date())}
            onChange={(event) => {
              if (event.target.value !== '') setRange({ since: event.target.value });
            }}
          />
        )}
        <select
          className="btn quiet choose"
          aria-label={t('filterProject')}
          value={project ?? ''}
          onChange={(event) => setProject(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">{t('allProjects')}</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
        <ModelFilter models={data?.models ?? []} model={model} onChoose={setModel} />
        <span className="grow" />
        <ChainMark />
        <ExportMenu />
      </div>
      <div className="ledger-body">
        {error !== null && data === undefined ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading rows={5} />
        ) : (
          <Totals totals={data} model={model} />
        )}
        <EntriesSection project={project} />
      </div>
    </main>
  );
}

function monthStart(): string {
  const now = new Date();
  return dayOf(new Date(now.getFullYear(), now.getMonth(), 1));
}

interface FilterProps {
  readonly models: LedgerTotalsView['models'];
  readonly model: ModelChoice;
  readonly onChoose: (model: ModelChoice) => void;
}

function ModelFilter({ models, model, onChoose }: FilterProps) {
  const { t } = useTranslation('ledger');
  const names = models.map((each) => each.model);
  // One that costs nothing in other days or another project stays chosen, and in the list.
  const choices = model === undefined || names.includes(model) ? names : [...names, model];
  return (
    <select
      className="btn quiet choose"
      aria-label={t('filterModel')}
      value={model === undefined ? '' : String(choices.indexOf(model))}
      onChange={(event) =>
        onChoose(event.target.value === '' ? undefined : choices[Number(event.target.value)])
      }
    >
      <option value="">{t('allModels')}</option>
      {choices.map((name, index) => (
        <option key={name ?? ''} value={index}>
          {name ?? t('noModel')}
        </option>
      ))}
    </select>
  );
}

function Totals({ totals, model }: { totals: LedgerTotalsView; model: ModelChoice }) {
  const { t } = useTranslation('ledger');
  const costs = useMemo(() => (model === undefined ? totals : ofModel(totals, model)), [totals, model]);
  const bars = useMemo(() => costBars(costs), [costs]);
  const { figures, relayWaits, lockWaits, projects } = totals;
  const isEmpty =
    projects.length === 0 &&
    relayWaits.newest.length === 0 &&
    lockWaits.newest.length === 0 &&
    figures.touches.all === 0;
  if (isEmpty) {
    return (
      <div className="empty ledger-empty">
        <h2>{t('empty', { count: totals.days.length })}</h2>
        <p>{t('emptyText')}</p>
      </div>
    );
  }
  return (
    <>
      <Figures totals={costs} />
      <div className="cols">
        <section>
          <h2>
            {t('costPerDay')}
            <Legend models={bars.models} />
          </h2>
          <Suspense fallback={<div className="cost-chart" />}>
            <CostChart bars={bars} />
          </Suspense>
        </section>
        <section>
          <h2>
            {t('waitClasses')} <span>{t('answers', { count: figures.relayWait.count })}</span>
          </h2>
          <WaitBars classes={relayWaits.classes} />
        </section>
      </div>
      <div className="cols">
        <CostsTable totals={costs} isOfModel={model !== undefined} />
        <CallsTable totals={totals} />
      </div>
      <div className="cols">
        <RelayWaitsTable waits={relayWaits} />
        <LockWaitsTable waits={lockWaits} />
      </div>
    </>
  );
}

function Legend({ models }: { models: readonly (string | null)[] }) {
  const { t } = useTranslation('ledger');
  return (
    <span className="legend">
      {models.map((model, index) => (
        <span key={model ?? ''} className="row">
          <i className={`swatch ${fillOf(index)}`} aria-hidden="true" />
          <SafeLine text={model ?? t('noModel')} most={60} />
        </span>
      ))}
    </span>
  );
}
