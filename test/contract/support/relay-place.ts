import path from 'node:path';
import { ensureClaudeCli } from '../../support/claude-cli.ts';
import { startModelServer, type ModelServer } from '../../support/model-server/model-server.ts';
import { useTool, type Reply } from '../../support/model-server/replies.ts';
import type { Script } from '../../support/model-server/script.ts';
import { RelayWorld } from '../../support/relay-world.ts';

/** Signalbox with the real Claude Code against a scripted model. */
export interface RelayPlace extends AsyncDisposable {
  readonly world: RelayWorld;
  readonly model: ModelServer;
}

export async function makeRelayPlace(
  environment: Readonly<Record<string, string>> = {},
): Promise<RelayPlace> {
  const claude = await ensureClaudeCli();
  const model = await startModelServer();
  const world = await RelayWorld.create({ claude, modelBaseUrl: model.baseUrl, environment });
  return {
    world,
    model,
    [Symbol.asyncDispose]: async () => {
      try {
        await world[Symbol.asyncDispose]();
      } finally {
        await model.close();
      }
    },
  };
}

/** A tool call on a file of the worktree, named as the CLI tells the model its folder. */
export const inTree =
  (file: string, call: (absolute: string) => Reply): Script =>
  ({ cwd }) =>
    call(path.join(cwd, file));

/** Reads and then changes `invoice.py`; two steps of a `byTurn` script. */
export const editInvoice = (from: string, to: string): readonly [Script, Script] => [
  inTree('invoice.py', (file_path) => useTool('Read', { file_path })),
  inTree('invoice.py', (file_path) => useTool('Edit', { file_path, old_string: from, new_string: to })),
];

/** Changes `invoice.py` so that its sum is rounded; its test still passes. */
export const ROUND_TOTAL = editInvoice('return sum(items)', 'return round(sum(items), 2)');
