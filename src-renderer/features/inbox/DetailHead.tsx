import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { InboxContextView } from '../../../src-shared/api/inbox-context.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { Icon } from '../../components/Icon.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { GLYPH_OF, titleOf } from './titles.ts';

interface Props {
  readonly item: ItemView;
  /** Undefined while it is being asked for. */
  readonly context: InboxContextView | undefined;
  /** In place of the item's own title. */
  readonly title?: string;
}

/** The first lines of every item: kind, project, waiting time, title, facts. */
export function DetailHead({ item, context, title }: Props) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const now = useNow();
  const own = titleOf(t, item);
  const waited = item.waitedS === null ? now - Date.parse(item.raisedAt) : item.waitedS * 1000;
  const waits = t(item.kind === 'permission' ? 'turnWaits' : 'waits', { length: format.length(waited) });
  return (
    <div className="dh">
      <div className="k">
        <span className="c-accent">
          <Icon name={GLYPH_OF[item.kind]} />
        </span>
        <b>
          {t(`kind_${item.kind}`)} #{item.number}
        </b>
        <span aria-hidden="true">·</span>
        <bdi className="clip">{item.project ?? t('wholeHub')}</bdi>
        <span aria-hidden="true">·</span>
        <span className="clip">{item.state === 'open' ? waits : t(`state_${item.state}`)}</span>
        <span className="grow" />
        {item.taskNumber !== null && (
          <Link href={`/task/${item.taskNumber}`}>{t(item.kind === 'gate' ? 'openRun' : 'openTask')}</Link>
        )}
      </div>
      <h1 tabIndex={-1} data-detail-title>
        <SafeText text={title ?? own.text} />
      </h1>
      <Facts item={item} context={context} isOurs={title !== undefined || own.isOurs} />
    </div>
  );
}

function Facts({ item, context, isOurs }: Pick<Props, 'item' | 'context'> & { isOurs: boolean }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const facts = context?.facts;
  const lines: React.ReactNode[] = [];
  if (isOurs && item.taskNumber !== null && item.taskTitle !== null) {
    lines.push(t('taskLine', { number: item.taskNumber, title: item.taskTitle }));
  }
  if (item.kind === 'permission') {
    if (item.tool !== undefined) lines.push(t('tool', { tool: item.tool }));
    lines.push(t('expires'));
  }
  if (facts !== undefined) {
    if (item.kind === 'approve' && facts.branch !== null && facts.baseBranch !== null) {
      lines.push(t('into', { branch: facts.branch, base: facts.baseBranch }));
    }
    if (facts.question !== null && item.kind === 'specify') lines.push(t('questionOf', facts.question));
    if (facts.attempt !== null) lines.push(t('attempt', { number: facts.attempt.number }));
    if (facts.session !== null) lines.push(t('session', { id: facts.session }));
    if (item.kind === 'specify' && facts.cost.perCallUsd !== null) {
      lines.push(
        t('costOfCall', {
          cost: format.usd(facts.cost.turnUsd),
          cap: format.usd(facts.cost.perCallUsd),
        }),
      );
    } else if (item.kind !== 'approve' && item.taskNumber !== null) {
      lines.push(t('cost', { cost: format.usd(facts.cost.taskUsd) }));
    }
  }
  return (
    <div className="f">
      {lines.map((line, index) => (
        <bdi key={index}>{line}</bdi>
      ))}
    </div>
  );
}
