import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/index.ts';
import type { CostBars } from './cost-bars.ts';
import { fillOf, paintOf } from './fills.ts';
import { startOfDay } from './range.ts';

const HEIGHT = 176;
/** Narrower bars have no room for their value. */
const LEAST_WIDTH_FOR_VALUES = 22;
const BAR_PART = 0.6;
const FONT = '11px system-ui, sans-serif';

const role = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A value over a bar: as few digits as tell bars apart. */
const shortAmount = (amount: number, locale: string): string =>
  new Intl.NumberFormat(
    locale,
    amount < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 },
  ).format(amount);

/** Calls back when the colours of the window become others. */
function onTheme(changed: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  scheme.addEventListener('change', changed);
  return () => {
    watch.disconnect();
    scheme.removeEventListener('change', changed);
  };
}

/** Costs by day, the models of a day on each other. The same numbers are in the table below. */
export function CostChart({ bars }: { bars: CostBars }) {
  const { t, i18n } = useTranslation('ledger');
  const format = useFormat();
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const within = place.current;
    if (within === null) return undefined;
    let plot: uPlot | null = null;
    const dayText = (day: string | undefined): string => {
      const start = day === undefined ? null : startOfDay(day);
      return start === null ? '' : format.day(start.toISOString());
    };
    const draw = (): void => {
      plot?.destroy();
      const [text, grid] = [role('text-3'), role('border')];
      const colours = { bar: role('bar'), line: role('bar-2'), ground: role('content') };
      const paths = uPlot.paths.bars?.({ size: [BAR_PART, 44], align: 0 });
      // The tallest first, since each part is drawn over the rest of the one above it.
      const order = bars.tops.map((_, index) => index).reverse();
      plot = new uPlot(
        {
          width: Math.max(200, within.clientWidth),
          height: HEIGHT,
          legend: { show: false },
          cursor: { show: false },
          padding: [16, 0, 0, 0],
          scales: {
            x: { time: false, range: () => [-0.5, Math.max(0, bars.days.length - 1) + 0.5] },
            y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.02 : 1] },
          },
          axes: [
            {
              stroke: text,
              font: FONT,
              size: 24,
              gap: 4,
              grid: { show: false },
              ticks: { show: false },
              space: 44,
              incrs: [1, 2, 3, 7, 14, 28, 56, 112],
              values: (_plot, places) => places.map((at) => dayText(bars.days[at])),
            },
            {
              stroke: text,
              font: FONT,
              size: 46,
              gap: 4,
              grid: { stroke: grid, width: 1 },
              ticks: { show: false },
              space: 36,
              values: (_plot, amounts) => amounts.map((amount) => format.usd(amount)),
            },
          ],
          series: [
            {},
            ...order.map((index) => ({
              points: { show: false },
              stroke: fillOf(index) === 'full' ? colours.bar : colours.line,
              width: 1,
              fill: () => paintOf(fillOf(index), colours, devicePixelRatio),
              ...(paths === undefined ? {} : { paths }),
            })),
          ],
          hooks: {
            draw: [
              (drawn) => {
                const step = drawn.bbox.width / bars.days.length / devicePixelRatio;
                if (step < LEAST_WIDTH_FOR_VALUES) return;
                const { ctx } = drawn;
                ctx.save();
                ctx.fillStyle = role('text');
                ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
                ctx.textAlign = 'center';
                bars.sums.forEach((sum, index) => {
                  if (sum <= 0) return;
                  const [x, y] = [drawn.valToPos(index, 'x', true), drawn.valToPos(sum, 'y', true)];
                  ctx.fillText(shortAmount(sum, i18n.language), x, y - 4 * devicePixelRatio);
                });
                ctx.restore();
              },
            ],
          },
        },
        [
          bars.days.map((_, index) => index),
          ...order.map((index) => (bars.tops[index] ?? []).map((top) => (top > 0 ? top : null))),
        ],
        within,
      );
    };
    draw();
    const size = new ResizeObserver(() =>
      plot?.setSize({ width: Math.max(200, within.clientWidth), height: HEIGHT }),
    );
    size.observe(within);
    const stop = onTheme(draw);
    return () => {
      stop();
      size.disconnect();
      plot?.destroy();
    };
  }, [bars, format, i18n.language]);

  const most = bars.sums.reduce((best, sum, index) => (sum > (bars.sums[best] ?? 0) ? index : best), 0);
  const day = startOfDay(bars.days[most] ?? '');
  return (
    <div
      ref={place}
      className="cost-chart"
      role="img"
      aria-label={t('costChart', {
        day: day === null ? '' : format.day(day.toISOString()),
        amount: format.usd(bars.sums[most] ?? 0),
      })}
    />
  );
}
