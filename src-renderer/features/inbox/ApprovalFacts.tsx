import { useTranslation } from 'react-i18next';
import type { InboxContextView } from '../../../src-shared/api/inbox-context.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/index.ts';

type Tests = 'passed' | 'failed' | 'none' | 'nothing' | 'other';

/** What the tests say about an offer. */
export function testsOf(item: ItemView): Tests {
  const state = item.testRun?.state;
  if (state === 'failed' || state === 'timed-out') return 'failed';
  if (item.offer?.testOutcome === 'nothing-to-test') return 'nothing';
  if (item.offer?.testOutcome === 'not-configured') return 'none';
  if (state === 'passed' || item.offer?.testOutcome === 'passed') return 'passed';
  return 'other';
}

/** The strip below the title: what there is to know before reading. */
export function ApprovalFacts({ item, context }: { item: ItemView; context: InboxContextView | undefined }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const facts = context?.facts;
  const files = facts?.changes?.files ?? item.offer?.changedFiles ?? 0;
  return (
    <dl className="facts">
      <div>
        <dt>{t('factChanges')}</dt>
        <dd>
          {t('files', { count: files })}
          {facts?.changes !== null && facts?.changes !== undefined && (
            <span className="sgn">
              <span className="c-ok">+{format.number(facts.changes.added)}</span>{' '}
              <span className="c-stop">−{format.number(facts.changes.removed)}</span>
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('factTests')}</dt>
        <dd>
          <TestsFact item={item} />
        </dd>
      </div>
      {facts !== undefined && (
        <>
          <div>
            <dt>{t('factAsked')}</dt>
            <dd>
              {facts.question === null
                ? t('askedNone')
                : t('asked', { asked: facts.question.number, of: facts.question.of })}
            </dd>
          </div>
          <div>
            <dt>{t('factWorked')}</dt>
            <dd>{format.length(facts.workedS * 1000)}</dd>
          </div>
          <div>
            <dt>{t('factCost')}</dt>
            <dd>{t('cost', { cost: format.usd(facts.cost.taskUsd) })}</dd>
          </div>
          <div>
            <dt>{t('factDenied')}</dt>
            <dd>{facts.denied === 0 ? t('deniedNone') : t('denied', { count: facts.denied })}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

function TestsFact({ item }: { item: ItemView }) {
  const { t } = useTranslation('inbox');
  switch (testsOf(item)) {
    case 'passed':
      return (
        <>
          <span className="c-ok">
            <Icon name="tick" />
          </span>
          {t('testsPassed')}
        </>
      );
    case 'failed':
      return (
        <span className="c-stop with-icon">
          <Icon name="cross" />
          {item.testRun?.state === 'timed-out'
            ? t('testsTimedOut')
            : t('testsFailed', { code: String(item.testRun?.exitCode ?? '') })}
        </span>
      );
    case 'none':
      return (
        <span className="c-wait with-icon">
          <Icon name="review" />
          {t('testsNone')}
        </span>
      );
    case 'nothing':
      return <>{t('testsNothing')}</>;
    case 'other':
      return <>{t('testsRunning')}</>;
  }
}
