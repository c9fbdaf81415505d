import type { CDPSession, Page } from '@playwright/test';

/** One event of Chromium's trace; times in µs, `tdur` on the clock of the thread, which stands while others run. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

/** Put by the page at each frame (`performance.mark`). */
export const FRAME_MARK = 'bench-frame';
const TASK = 'ThreadControllerImpl::RunTask';

/** What the window's own thread did, in its CPU time: a busy neighbour makes the wall time longer, not this. */
export class MainThread {
  readonly #cdp: CDPSession;

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async of(page: Page): Promise<MainThread> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new MainThread(cdp);
  }

  /** All its work so far in ms, and how often it laid out. */
  async sofar(): Promise<{ readonly ms: number; readonly layouts: number }> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
    return { ms: value('TaskDuration') * 1000, layouts: value('LayoutCount') };
  }

  /** CPU ms of each frame that `work` marks: of all tasks since the mark before it. */
  async frames<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: readonly number[] }> {
    const events: TraceEvent[] = [];
    const collect = ({ value }: { readonly value: readonly object[] }): void => {
      events.push(...(value as readonly TraceEvent[]));
    };
    this.#cdp.on('Tracing.dataCollected', collect);
    await this.#cdp.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] },
    });
    const result = await work();
    const complete = new Promise<void>((resolve) => {
      this.#cdp.once('Tracing.tracingComplete', () => resolve());
    });
    await this.#cdp.send('Tracing.end');
    await complete;
    this.#cdp.off('Tracing.dataCollected', collect);
    return { result, ms: framesOf(events) };
  }
}

function framesOf(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === FRAME_MARK).toSorted((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (first === undefined) throw new Error('No frame was marked.');
  const tasks = events
    .filter(({ name, ph, pid, tid }) => name === TASK && ph === 'X' && pid === first.pid && tid === first.tid)
    .toSorted((a, b) => a.ts - b.ts);
  if (tasks.length === 0) throw new Error('The trace has no tasks of the window.');
  let next = tasks.findIndex(({ ts }) => ts > first.ts);
  return marks.slice(1).map((mark) => {
    let sum = 0;
    for (; next >= 0 && (tasks[next]?.ts ?? Infinity) <= mark.ts; next += 1) sum += tasks[next]?.tdur ?? 0;
    return sum / 1000;
  });
}
