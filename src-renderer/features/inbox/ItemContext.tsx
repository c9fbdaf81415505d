import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { InboxContextView, SoFarLine } from '../../../src-shared/api/inbox-context.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { failureWords } from '../../components/reasons.ts';
import { SafeText } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';

interface Props {
  readonly item: ItemView;
  readonly context: InboxContextView | undefined;
}

/** What was asked of the agent, and what it did until it stopped. */
export function ItemContext({ item, context }: Props) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  if (context === undefined || context.asked === null) return <div className="ctx" />;
  return (
    <div className="ctx">
      <section className="sec">
        <h2>{t('youAsked')}</h2>
        <div className="you wrap">
          <SafeText
            text={context.asked.description === '' ? context.asked.title : context.asked.description}
          />
        </div>
      </section>
      <section className="sec">
        <h2>
          {t('soFar')}
          {item.taskNumber !== null && (
            <Link href={`/task/${item.taskNumber}/transcript`}>{t('transcript')}</Link>
          )}
        </h2>
        <ul className="log">
          {context.soFar.map((line, index) => (
            <li key={index}>
              <time dateTime={line.at}>{format.time(line.at)}</time>
              <span>
                <Line line={line} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const OUTCOMES = ['question', 'done', 'interrupted', 'lost'] as const;

function Line({ line }: { line: SoFarLine }) {
  const { t } = useTranslation('inbox');
  const { t: tReasons } = useTranslation('reasons');
  const format = useFormat();
  switch (line.kind) {
    case 'read':
      return (
        <>
          {t('read', { count: line.files })}
          {line.folders.length > 0 && t('mostlyIn')}
          {line.folders.map((folder, index) => (
            <Fragment key={folder}>
              {index > 0 && t('and')}
              <code>
                <SafeText text={folder === '' ? '.' : folder} />
              </code>
            </Fragment>
          ))}
        </>
      );
    case 'changed':
      return (
        <>
          {t('changed', { count: line.files })}
          {line.paths.map(({ path, added, removed }, index) => (
            <Fragment key={path}>
              {index > 0 && ', '}
              <code>
                <SafeText text={path} />
              </code>
              {added !== undefined && <span className="sgn c-ok"> +{format.number(added)}</span>}
              {removed !== undefined && <span className="sgn c-stop"> −{format.number(removed)}</span>}
            </Fragment>
          ))}
          {!line.isCommitted && t('notCommitted')}
        </>
      );
    case 'stopped': {
      const failure = failureWords(tReasons, line.outcome);
      const known = OUTCOMES.find((each) => each === line.outcome);
      const length = format.length(line.durationS * 1000);
      return (
        <>
          {failure ??
            (known === undefined ? t('stopped_other', { outcome: line.outcome }) : t(`stopped_${known}`))}
          {t('after', { length })}
        </>
      );
    }
  }
}
