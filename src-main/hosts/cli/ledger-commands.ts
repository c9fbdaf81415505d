import { Option, type Command } from 'commander';
import { definedFields } from '../../../src-shared/api/common.ts';
import type { ChainView, LedgerEntryView } from '../../../src-shared/api/ledger.ts';
import { counted } from '../../../src-shared/counted.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { shortLine, visibleLine } from '../../../src-shared/visible-text.ts';
import { requireHub, type ApiClient } from './connect.ts';
import { define, withSession, wholeNumber } from './define.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';
import { callError } from '../../adapters/call-errors.ts';

interface LedgerFlags {
  readonly task?: string;
  readonly project?: string;
  readonly kind?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

/** Entries an export fetches at once. */
const PAGE = 1000;

/** ISO 8601 in UTC out of a date, a time with a zone, or a length back from now (`2h`, `3d`). @throws AppError 'usage' */
export function parseSince(text: string, now: number): string {
  const back = /^(\d{1,6})([smhd])$/.exec(text);
  if (back !== null) {
    const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[back[2] as 's' | 'm' | 'h' | 'd'];
    return new Date(now - Number(back[1]) * unit).toISOString();
  }
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new AppError('usage', `--since does not understand "${text}".`, {
      hint: 'Give 2026-11-30, 2026-11-30T09:00:00Z, or a length such as 2h or 3d.',
    });
  }
  return new Date(at).toISOString();
}

/** Longer values (a whole command line, say) are cut for people; `--json` has them as they are. */
const LONGEST_VALUE = 60;

/** One line: facts only, each value visible. */
export function renderEntry(entry: LedgerEntryView): string {
  const data = Object.entries(entry.data)
    .map(
      ([key, value]) =>
        `${key}=${shortLine(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE)}`,
    )
    .join(' ');
  const where = [entry.project, entry.item === null ? null : `#${entry.item}`].filter(
    (each) => each !== null,
  );
  return visibleLine(
    [String(entry.seq).padStart(5), entry.at, entry.kind.padEnd(20), where.join(' '), data]
      .join('  ')
      .trimEnd(),
  );
}

/** What was checked, and what was not. */
export function renderChain({ ok, entries, head, brokenAt, checkedFrom = 1 }: ChainView): string {
  if (!ok)
    return `The chain is broken at entry ${brokenAt ?? 'unknown'}; ${counted(entries, 'entry before it holds', 'entries before it hold')}.`;
  if (entries === 0) return 'The ledger is empty.';
  const checked =
    checkedFrom === 1
      ? 'checked from the first entry on'
      : checkedFrom > entries
        ? `nothing is new since the last check, which ended at entry ${entries}`
        : `checked from entry ${checkedFrom} on, those before it by an earlier check`;
  const more = checkedFrom === 1 ? '' : '\nTo check all of them again: signalbox ledger verify --full';
  return `The chain holds: ${counted(entries, 'entry', 'entries')}, ${checked}; head ${head}.${more}`;
}

type ExportFormat = 'jsonl' | 'csv';

/** Lines of the whole ledger, page by page. */
async function* exportedPages(client: ApiClient, format: ExportFormat): AsyncGenerator<readonly string[]> {
  for (let afterSeq = 0; ;) {
    const page = await client.ledger.export.query({ format, afterSeq, limit: PAGE });
    yield page.lines;
    if (page.lastSeq === null) return;
    afterSeq = page.lastSeq;
  }
}

async function exportLedger(host: Host, client: ApiClient, format: ExportFormat): Promise<void> {
  // With --json whatever goes wrong has to be the one value, so nothing is printed before all of it is there.
  const kept: string[] = [];
  for await (const lines of exportedPages(client, format)) {
    if (host.out.json) kept.push(...lines);
    else host.out.raw(lines.map((line) => `${line}\n`).join(''));
  }
  if (!host.out.json) return;
  // The lines of JSON are passed on as they are: in the form that is hashed.
  if (format === 'jsonl') {
    host.out.raw('[');
    kept.forEach((line, index) => host.out.raw(index === 0 ? line : `,${line}`));
    host.out.raw(']\n');
    return;
  }
  host.out.value({ format, text: kept.map((line) => `${line}\n`).join('') }, () => '');
}

async function follow(host: Host, filter: Record<string, unknown>): Promise<void> {
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const needed = {
    message: 'Following the ledger needs a running hub.',
    hint: 'Start the hub: signalbox hub',
  };
  const session = await requireHub(host, needed, {
    subscriptions: true,
    disconnected: () =>
      gone.reject(new AppError('hub-lost', 'The hub has ended.', { hint: 'Start it: signalbox hub' })),
  });
  try {
    const ended = new Promise<void>((resolve, reject) => {
      session.client.ledger.follow.subscribe(filter, {
        onData: ({ data }) => host.out.line(data, () => renderEntry(data)),
        onError: reject,
        onComplete: resolve,
      });
    });
    await Promise.race([ended, gone.promise]);
  } catch (error) {
    throw callError(error);
  } finally {
    await session.close();
  }
}

/** `ledger`, `ledger verify`, `ledger export` */
export function addLedgerCommands(program: Command, host: Host): void {
  const ledger = define(program, 'ledger', 'the newest entries of the ledger', [
    'signalbox ledger --task 14',
    'signalbox ledger --kind harness. --since 2d --follow',
  ])
    .option('--task <task>', 'of one task')
    .option('--project <project>', 'of one project')
    .option('--kind <kind>', 'one kind, or all that begin with it: harness.')
    .option('--since <time>', 'from a date, a time, or 2h, 3d back')
    .option('--limit <n>', 'at most this many (default: 100)', wholeNumber(1, 10_000))
    .option('--follow', 'go on with new entries until Ctrl+C')
    .action(async (flags: LedgerFlags) => {
      const { task, project, kind, limit } = flags;
      const since = flags.since === undefined ? undefined : parseSince(flags.since, host.clock.now());
      const filter = definedFields({ task, project, kind, limit, since });
      if (flags.follow === true) return follow(host, filter);
      return withSession(host, async (client) => {
        const entries = await client.ledger.list.query(filter);
        host.out.value(entries, () => entries.map(renderEntry).join('\n') || 'No entries.');
      });
    });
  define(ledger, 'verify', 'check the chain of hashes', ['signalbox ledger verify --full'])
    .option('--full', 'from the first entry, not from the last checkpoint')
    .action((flags: { full?: boolean }) =>
      withSession(host, async (client) => {
        const check = await client.ledger.verify.query({ full: flags.full === true });
        host.out.value(check, () => renderChain(check));
        if (!check.ok) host.setExitCode(EXIT.no);
      }),
    );
  define(ledger, 'export', 'print the whole ledger, as it is hashed', [
    'signalbox ledger export --format jsonl > ledger.jsonl',
    'signalbox ledger export --format csv > ledger.csv',
  ])
    .addOption(
      new Option('--format <format>', 'one JSON object a line, or CSV')
        .choices(['jsonl', 'csv'])
        .makeOptionMandatory(),
    )
    .action((flags: { format: ExportFormat }) =>
      withSession(host, (client) => exportLedger(host, client, flags.format)),
    );
}
