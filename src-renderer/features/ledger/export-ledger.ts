import type { Transport } from '../../api/transport.ts';

export type ExportFormat = 'csv' | 'jsonl';
const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
/** A page is one message: large ones would hold up the others of the window. */
const PAGE = 2000;

/** Reads the whole ledger in the form of `signalbox ledger export`. */
export async function exportLedger(
  transport: Pick<Transport, 'query'>,
  format: ExportFormat,
  progress: (entries: number) => void,
): Promise<Blob> {
  const parts: string[] = [];
  let [afterSeq, entries]: [number | null, number] = [0, 0];
  while (afterSeq !== null) {
    const page: { lines: string[]; lastSeq: number | null } = await transport.query('ledger.export', {
      format,
      afterSeq,
      limit: PAGE,
    });
    if (page.lines.length > 0) parts.push(`${page.lines.join('\n')}\n`);
    entries += page.lines.length - (format === 'csv' && afterSeq === 0 ? 1 : 0);
    progress(entries);
    afterSeq = page.lastSeq;
  }
  return new Blob(parts, { type: TYPES[format] });
}

/** Hands a file to the person, as the browser saves files. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken the address by the next turn of its loop.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
