// Draws build/icons/* from build/icons/sources/*.svg. Its output is committed: run it after a source has changed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'icons');
const STATES = ['idle', 'running', 'waiting', 'killed'];
/** For panels of the other tone. */
const TONES = { dark: '#000', light: '#f2f0ea' };

const source = (name) => readFile(path.join(folder, 'sources', `${name}.svg`), 'utf8');
const put = (name, content) => writeFile(path.join(folder, name), content);
const png = (svg, size) => new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
const toned = (svg, tone) => svg.replace('fill="#000"', `fill="${TONES[tone]}"`);

/** An icon file whose pictures are PNG files, as Windows reads since Vista. Sizes below 256. */
function ico(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  pictures.forEach(({ size, content }, index) => {
    const at = 6 + 16 * index;
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(content.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += content.length;
  });
  return Buffer.concat([header, ...pictures.map(({ content }) => content)]);
}
const icoOf = (svg, sizes) => ico(sizes.map((size) => ({ size, content: png(svg, size) })));

for (const state of STATES) {
  const [small, large] = [await source(`tray-${state}-16`), await source(`tray-${state}-22`)];
  // macOS tints a template by itself; the name is what makes it one.
  await put(`tray-${state}-Template.png`, png(small, 16));
  await put(`tray-${state}-Template@2x.png`, png(small, 32));
  for (const tone of Object.keys(TONES)) {
    await put(`tray-${state}-${tone}.png`, png(toned(large, tone), 22));
    await put(`tray-${state}-${tone}@2x.png`, png(toned(large, tone), 44));
    await put(`tray-${state}-${tone}.ico`, icoOf(toned(small, tone), [16, 20, 24, 32, 40, 48, 64]));
  }
}

const [app, appSmall] = [await source('app-icon'), await source('app-icon-small')];
const appAt = (size) => png(size < 64 ? appSmall : app, size);
await put('app.png', appAt(1024));
await put('app.ico', ico([16, 24, 32, 48, 64, 128, 256].map((size) => ({ size, content: appAt(size) }))));
await mkdir(path.join(folder, 'linux'), { recursive: true });
for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
  await put(path.join('linux', `${size}x${size}.png`), appAt(size));
}
// On the taskbar's button of Windows: something waits.
const disc =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#b3261e" stroke="#fff" stroke-width="1.5"/></svg>';
await put('badge.png', png(disc, 32));
