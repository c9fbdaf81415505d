import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TurnEventView, TurnView } from '../../../src-shared/api/timeline.ts';
import { useCall } from '../../api/api.tsx';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { Icon, type GlyphName } from '../../components/Icon.tsx';
import { failureWords } from '../../components/reasons.ts';
import { SafeLine, SafeText } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';
import type { TimelineRow } from './timeline-rows.ts';

const TOOL_GLYPHS: Readonly<Record<string, GlyphName>> = {
  Read: 'book',
  Edit: 'pencil',
  MultiEdit: 'pencil',
  Write: 'pencil',
  NotebookEdit: 'pencil',
  Grep: 'search',
  Glob: 'search',
  LS: 'folder',
};

interface Props {
  readonly row: TimelineRow;
  readonly agentName: string;
}

/** Rows are made anew with each page; one with the same events need not be drawn again. */
function isSame(before: Props, after: Props): boolean {
  if (before.agentName !== after.agentName) return false;
  const [a, b] = [before.row, after.row];
  if (a.kind === 'reads' && b.kind === 'reads')
    return a.events.length === b.events.length && a.events[0] === b.events[0];
  const [x, y] = [a, b] as readonly Readonly<Record<string, unknown>>[];
  if (x === undefined || y === undefined) return false;
  return Object.keys(x).every((key) => x[key] === y[key]) && a.kind === b.kind;
}

/** One line, whichever voice. */
export const TimelineLine = memo(function TimelineLine({ row, agentName }: Props) {
  const { t } = useTranslation('task');
  const format = useFormat();
  switch (row.kind) {
    case 'turn-start':
      return <TurnStart turn={row.turn} />;
    case 'turn-end':
      return <TurnEnd turn={row.turn} asked={row.asked} />;
    case 'asked':
      return (
        <div className="ev">
          <At iso={row.task.createdAt} />
          <Icon name="person" />
          <div className="you">
            <span className="who">{t('youAsked')}</span>
            <p className="pre">
              <SafeText text={row.task.description === '' ? row.task.title : row.task.description} />
            </p>
          </div>
        </div>
      );
    case 'waited':
      return (
        <div className="ev c-wait">
          <span />
          <Icon name="waiting" />
          <span className="medium">{t('waited', { length: format.length(row.ms) })}</span>
        </div>
      );
    case 'said':
      return (
        <div className="ev">
          <At iso={row.event.at} />
          <span />
          <WholeText event={row.event}>
            {(text) => <AgentBlock agent={agentName} text={text} voice="reports" lines={12} isCompact />}
          </WholeText>
        </div>
      );
    case 'reads':
      return <Reads events={row.events} />;
    case 'tool':
      return <Tool event={row.event} result={row.result} />;
    case 'note':
      return (
        <div className="ev">
          <At iso={row.event.at} />
          <span className={row.event.kind === 'denied' ? 'c-stop' : 't3'}>
            <Icon name={row.event.kind === 'denied' ? 'kill' : 'hold'} />
          </span>
          <div className="tool">
            {row.event.tool !== null && <b>{row.event.tool}</b>}
            <span className="t2 clip">
              <SafeLine text={row.event.text} />
            </span>
            <span className="r">{t(`note_${row.event.kind}`, { defaultValue: '' })}</span>
          </div>
        </div>
      );
  }
}, isSame);

function At({ iso }: { iso: string }) {
  const format = useFormat();
  return <time dateTime={iso}>{format.exactTime(iso)}</time>;
}

/** Pages hold the beginning of long texts; the whole is fetched when it is asked for. */
function WholeText({
  event,
  children,
}: {
  event: TurnEventView;
  children: (text: string) => React.ReactNode;
}) {
  const { t } = useTranslation('task');
  const [isWanted, setWanted] = useState(false);
  const whole = useCall('task.event', { id: event.id }, { enabled: isWanted }).data?.whole;
  return (
    <div>
      {children(whole ?? event.text)}
      {event.isCut && whole === undefined && (
        <button type="button" className="link small" onClick={() => setWanted(true)}>
          {t('whole')}
        </button>
      )}
    </div>
  );
}

function TurnStart({ turn }: { turn: TurnView }) {
  const { t } = useTranslation('task');
  const item = useCall('inbox.show', { item: turn.item ?? 0 }, { enabled: turn.item !== null }).data;
  return (
    <>
      {item !== undefined && item.answer !== null && item.answer !== '' && (
        <div className="ev">
          <At iso={item.respondedAt ?? turn.startedAt} />
          <Icon name="person" />
          <div className="you">
            <span className="who">{t('replied', { number: item.number, by: item.respondedBy ?? '' })}</span>
            <p className="pre">
              <SafeText text={item.answer} />
            </p>
          </div>
        </div>
      )}
      <div className="ev">
        <At iso={turn.startedAt} />
        <Icon name="envelope" />
        <span className="t2">
          {t(`turn_${turn.kind}`, { defaultValue: turn.kind })}{' '}
          {t('turnFacts', { number: turn.number, session: turn.sessionId.slice(0, 8) })}
        </span>
      </div>
    </>
  );
}

function TurnEnd({ turn, asked }: { turn: TurnView; asked: number | null }) {
  const { t } = useTranslation('task');
  const { t: tReasons } = useTranslation('reasons');
  const format = useFormat();
  const glyph: GlyphName =
    turn.outcome === 'done' ? 'tick' : turn.outcome === 'question' ? 'question' : 'cross';
  const outcome = turn.outcome ?? 'lost';
  const length = format.length(Date.parse(turn.endedAt ?? turn.startedAt) - Date.parse(turn.startedAt));
  return (
    <div className="ev">
      <At iso={turn.endedAt ?? turn.startedAt} />
      <Icon name={glyph} />
      <span>
        {failureWords(tReasons, outcome) ?? t(`outcome_${outcome}`, { defaultValue: outcome })}
        {asked !== null && (
          <>
            {' '}
            <Link href={`/inbox/${asked}?`}>#{asked}</Link>
          </>
        )}
        {', '}
        {t('after', { length, cost: format.usd(turn.costUsd) })}
        {turn.costBasis === 'assumed' && ` (${t('assumed')})`}
      </span>
    </div>
  );
}

function Reads({ events }: { events: readonly TurnEventView[] }) {
  const { t } = useTranslation('task');
  const [first] = events;
  const paths = events.map((event) => event.path ?? event.text);
  return (
    <div className="ev">
      <At iso={first?.at ?? ''} />
      <Icon name="book" />
      <div className="tool">
        <b>Read</b>
        <code className="clip" title={paths.join('\n')}>
          {events.length === 1 ? <SafeLine text={paths[0] ?? ''} /> : t('files', { count: events.length })}
        </code>
      </div>
    </div>
  );
}

function Tool({ event, result }: { event: TurnEventView; result: TurnEventView | null }) {
  const { t } = useTranslation('task');
  const { change } = event;
  return (
    <div className="ev">
      <At iso={event.at} />
      <Icon name={TOOL_GLYPHS[event.tool ?? ''] ?? 'right'} />
      <div>
        <div className="tool">
          <b>{event.tool}</b>
          <code className="clip">
            <SafeLine text={event.path ?? event.text} />
          </code>
          {change !== null && (
            <span className="sgn r">
              <span className="c-ok">+{change.added}</span> <span className="c-stop">−{change.removed}</span>
            </span>
          )}
          {result?.isError === true && (
            <span className="r c-stop">
              {t('toolFailed')} <SafeLine text={result.text} most={120} />
            </span>
          )}
        </div>
        {change !== null && change.lines.length > 0 && (
          <div className="diff">
            {change.lines.slice(0, 6).map((line, index) => (
              <div key={index} className={line.sign === '+' ? 'a short' : 'd short'}>
                <u>{line.sign === '+' ? '+' : '−'}</u>
                <span>
                  <SafeLine text={line.text} />
                </span>
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
