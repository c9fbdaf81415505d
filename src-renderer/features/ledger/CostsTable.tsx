import { useTranslation } from 'react-i18next';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { useFormat } from '../../i18n/index.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { SafeLine } from '../../components/SafeText.tsx';
import { costOf } from './cost-bars.ts';
import { Segments } from '../../components/Segments.tsx';
import { startOfDay } from './range.ts';

const VIEWS = ['project', 'day', 'model'] as const;
type View = (typeof VIEWS)[number];

interface Row {
  readonly key: string;
  readonly name: string;
  readonly models: readonly (string | null)[];
  readonly tasks: number | null;
  readonly calls: number | null;
  readonly usd: number;
  readonly assumedUsd: number;
}

function rowsOf(
  view: View,
  totals: LedgerTotalsView,
  names: { readonly other: string; readonly unknown: string },
): Row[] {
  switch (view) {
    case 'project':
      return totals.projects.map((each) => ({
        key: each.projectId ?? '',
        name: each.project ?? names.other,
        models: each.models.map(({ model }) => model),
        tasks: each.tasks,
        calls: each.calls,
        usd: costOf(each),
        assumedUsd: each.assumedUsd,
      }));
    case 'day':
      return totals.days.toReversed().map((each) => ({
        key: each.day,
        name: each.day,
        models: each.models.map(({ model }) => model),
        tasks: null,
        calls: each.calls,
        usd: costOf(each),
        assumedUsd: each.assumedUsd,
      }));
    case 'model':
      return totals.models.map((each) => ({
        key: each.model ?? '',
        name: each.model ?? names.unknown,
        models: [each.model],
        tasks: null,
        calls: null,
        usd: costOf(each),
        assumedUsd: each.assumedUsd,
      }));
  }
}

interface Props {
  readonly totals: LedgerTotalsView;
  /** The costs are those of one model: tasks and calls, which are of no model, are left out. */
  readonly isOfModel: boolean;
}

/** What was spent, by project, day or model: the numbers behind the bars. */
export function CostsTable({ totals, isOfModel }: Props) {
  const { t, i18n } = useTranslation('ledger');
  const format = useFormat();
  const [view, setView] = useKept<View>('ledger.costs', 'project');
  const rows = rowsOf(view, totals, { other: t('noProject'), unknown: t('noModel') });
  const amount = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const hasTasks = view === 'project' && !isOfModel;
  const hasCalls = view !== 'model' && !isOfModel;
  const { cost, tasks } = totals.figures;
  const calls = totals.projects.reduce((sum, each) => sum + each.calls, 0);
  const dayText = (name: string): string => {
    const start = view === 'day' ? startOfDay(name) : null;
    return start === null ? name : format.day(start.toISOString());
  };
  return (
    <section>
      <h2>
        {t('costs')}
        <Segments
          name={t('costsBy')}
          value={view}
          choices={VIEWS.map((each) => ({ value: each, text: t(`by_${each}`) }))}
          onChoose={setView}
        />
        <span>{t('costsNote')}</span>
      </h2>
      <div className="table-box" tabIndex={0} role="region" aria-label={t('costsBox')}>
        <table aria-label={t('costs')}>
          <thead>
            <tr>
              <th>{t(`head_${view}`)}</th>
              {view !== 'model' && <th>{t('head_models')}</th>}
              {hasTasks && <th className="num">{t('head_tasks')}</th>}
              {hasCalls && <th className="num">{t('head_calls')}</th>}
              <th className="num">{t('head_usd')}</th>
              <th className="num">{t('head_assumed')}</th>
              {hasTasks && <th className="num">{t('head_aTask')}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td className="clip">
                  <SafeLine text={dayText(row.name)} most={120} />
                </td>
                {view !== 'model' && (
                  <td className="t2 clip">
                    <SafeLine text={row.models.map((model) => model ?? t('noModel')).join(', ')} most={120} />
                  </td>
                )}
                {hasTasks && <td className="num">{format.number(row.tasks ?? 0)}</td>}
                {hasCalls && <td className="num">{format.number(row.calls ?? 0)}</td>}
                <td className="num">{amount.format(row.usd)}</td>
                <td className="num t2">{row.assumedUsd > 0 ? amount.format(row.assumedUsd) : ''}</td>
                {hasTasks && (
                  <td className="num">
                    {row.tasks === null || row.tasks === 0 ? '' : amount.format(row.usd / row.tasks)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>
                {t(view === 'project' ? 'projects' : view === 'day' ? 'days' : 'models', {
                  count: rows.length,
                })}
              </td>
              {view !== 'model' && <td />}
              {hasTasks && <td className="num">{format.number(tasks.worked)}</td>}
              {hasCalls && <td className="num">{format.number(calls)}</td>}
              <td className="num">{amount.format(costOf(cost))}</td>
              <td className="num">{cost.assumedUsd > 0 ? amount.format(cost.assumedUsd) : ''}</td>
              {hasTasks && (
                <td className="num">
                  {tasks.worked === 0 ? '' : amount.format(costOf(cost) / tasks.worked)}
                </td>
              )}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}
