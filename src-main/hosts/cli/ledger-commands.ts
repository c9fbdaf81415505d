import { Option, type Command } from 'commander';
import { definedFields } from '../../../src-shared/api/common.ts';
import type { LedgerEntryView } from '../../../src-shared/api/ledger.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { requireHub } from './connect.ts';
import { define, withSession, wholeNumber } from './define.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';
import { callError } from './call-errors.ts';

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

/** One line: facts only, each value visible. */
export function renderEntry(entry: LedgerEntryView): string {
  const data = Object.entries(entry.data)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
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

async function follow(host: Host, filter: Record<string, unknown>): Promise<void> {
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const session = await requireHub(host, 'Following the ledger', {
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
        host.out.value(check, () =>
          check.ok
            ? `The chain holds: ${check.entries} entries, head ${check.head}.`
            : `The chain is broken at entry ${check.brokenAt ?? 'unknown'}.`,
        );
        if (!check.ok) host.setExitCode(EXIT.no);
      }),
    );
  define(ledger, 'export', 'print the whole ledger, as it is hashed', [
    'signalbox ledger export --format jsonl > ledger.jsonl',
  ])
    .addOption(
      new Option('--format <format>', 'one JSON object a line, or CSV')
        .choices(['jsonl', 'csv'])
        .makeOptionMandatory(),
    )
    .action((flags: { format: 'jsonl' | 'csv' }) =>
      withSession(host, async (client) => {
        for (let afterSeq = 0; ;) {
          const page = await client.ledger.export.query({ format: flags.format, afterSeq, limit: PAGE });
          host.out.raw(page.lines.map((line) => `${line}\n`).join(''));
          if (page.lastSeq === null) return;
          afterSeq = page.lastSeq;
        }
      }),
    );
}
