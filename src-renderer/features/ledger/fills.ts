/** How models differ without colour: full, then stripes one way, the other way, and both. */
export const FILLS = ['full', 'rising', 'falling', 'crossed'] as const;
export type Fill = (typeof FILLS)[number];

export const fillOf = (index: number): Fill => FILLS[index % FILLS.length] ?? 'full';

const STEP = 6;

/** A tile of stripes for a canvas, at the screen's resolution. */
export function paintOf(
  fill: Fill,
  colours: { readonly bar: string; readonly line: string; readonly ground: string },
  ratio: number,
): string | CanvasPattern {
  if (fill === 'full') return colours.bar;
  const size = Math.round(STEP * ratio);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const to = tile.getContext('2d');
  const pattern = (): CanvasPattern | null => to?.createPattern(tile, 'repeat') ?? null;
  if (to === null) return colours.bar;
  to.fillStyle = colours.ground;
  to.fillRect(0, 0, size, size);
  to.strokeStyle = colours.line;
  to.lineWidth = 1.6 * ratio;
  to.beginPath();
  for (const shift of [-size, 0, size]) {
    if (fill !== 'falling') {
      to.moveTo(shift, size);
      to.lineTo(shift + size, 0);
    }
    if (fill !== 'rising') {
      to.moveTo(shift, 0);
      to.lineTo(shift + size, size);
    }
  }
  to.stroke();
  return pattern() ?? colours.bar;
}
