import path from 'node:path';
import { OWN_FOLDER } from '../../adapters/environment.ts';
import { GUARDIAN_FILE } from '../../adapters/process/guardian-protocol.ts';

/** A real Node and the guardian's file, for what is started as programs of their own. */
export interface OwnNode {
  readonly executable: string;
  readonly guardian: string;
}

/** What lies in the archive cannot be read by another program; the packaging leaves these beside it. */
const unpacked = (file: string): string => file.replace(/([/\\])app\.asar([/\\])/, '$1app.asar.unpacked$2');

/**
 * Electron's own binary is no Node once it is packaged (fuse `runAsNode`): started as one it would open a second
 * application. The package brings Node 24 along. Null outside of Electron, where the Node that runs is the one.
 */
export function packagedNode(
  electron: string | undefined = process.versions['electron'],
  folder: string = OWN_FOLDER,
  platform: NodeJS.Platform = process.platform,
): OwnNode | null {
  if (electron === undefined) return null;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  return {
    executable: unpacked(path.join(folder, 'node_modules', 'node', 'bin', name)),
    guardian: unpacked(path.join(folder, path.relative(OWN_FOLDER, GUARDIAN_FILE))),
  };
}
