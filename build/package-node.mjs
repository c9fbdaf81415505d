// electron-builder's hook after packing: puts Node beside the archive. The guardian and scripts run on it, since
// Electron's own binary is no Node once the fuse `runAsNode` is off (src-main/hosts/electron/packaged-node.ts).
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** electron-builder's numbers for processors. */
const ARCHITECTURES = { 0: 'ia32', 1: 'x64', 2: 'armv7l', 3: 'arm64', 4: 'universal' };

/** The npm package that holds Node's program for a system, as the package `node` names it. */
export const nodePackage = (platform, arch) =>
  `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** The program for a system: ours where it is the same, else fetched once by npm. */
export function nodeFor(platform, arch) {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  if (platform === process.platform && arch === process.arch) {
    return path.join(root, 'node_modules/node/bin', name);
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/node/package.json'), 'utf8'));
  const folder = path.join(root, '.cache/packaged-node', `${platform}-${arch}-${version}`);
  const file = path.join(folder, 'package/bin', name);
  if (existsSync(file)) return file;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', `${nodePackage(platform, arch)}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }).trim();
  execFileSync('tar', ['-xzf', packed], { cwd: folder });
  rmSync(path.join(folder, packed));
  return file;
}

/** The folder with `app.asar` of a packed application. */
export const resourcesOf = (appOutDir, platform, productFilename) =>
  platform === 'darwin'
    ? path.join(appOutDir, `${productFilename}.app`, 'Contents/Resources')
    : path.join(appOutDir, 'resources');

export default function addNode({ appOutDir, arch, electronPlatformName, packager }) {
  const processor = ARCHITECTURES[arch];
  // The two halves of a universal application have theirs already, and are merged.
  if (processor === 'universal') return;
  const resources = resourcesOf(appOutDir, electronPlatformName, packager.appInfo.productFilename);
  const folder = path.join(resources, 'app.asar.unpacked/node_modules/node/bin');
  mkdirSync(folder, { recursive: true });
  const to = path.join(folder, electronPlatformName === 'win32' ? 'node.exe' : 'node');
  copyFileSync(nodeFor(electronPlatformName, processor), to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o755);
  // The one in the archive cannot be seen from outside, and without one `.js` would be CommonJS.
  const { name, version } = packager.appInfo.info.metadata;
  writeFileSync(
    path.join(resources, 'app.asar.unpacked/package.json'),
    `${JSON.stringify({ name, version, type: 'module' })}\n`,
  );
}
