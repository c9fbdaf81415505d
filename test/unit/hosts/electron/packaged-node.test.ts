import path from 'node:path';
import { expect, test } from 'vitest';
import { packagedNode } from '../../../../src-main/hosts/electron/packaged-node.ts';

test('outside of Electron the Node that runs is the one', () => {
  expect(packagedNode(undefined)).toBeNull();
});

test('a packaged application uses the Node and the guardian that lie beside its archive', () => {
  const folder = path.join('/opt', 'Signalbox', 'resources', 'app.asar');
  const beside = path.join('/opt', 'Signalbox', 'resources', 'app.asar.unpacked');
  expect(packagedNode('45.5.0', folder, 'linux')).toEqual({
    executable: path.join(beside, 'node_modules', 'node', 'bin', 'node'),
    guardian: path.join(beside, 'out', 'cli', 'guardian.js'),
  });
});
