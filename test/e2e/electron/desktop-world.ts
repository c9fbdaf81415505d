import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Scenario, ScenarioRule } from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import { DesktopApp } from '../../electron-host/launch.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

/** The first one, and those after a crash before the application gives up (12-engine). */
const HUB_STARTS = 4;

/** A person's computer: a data folder with projects, a scripted agent, and the desktop application. */
export class DesktopWorld {
  readonly relay: RelayWorld;
  readonly apps: DesktopApp[] = [];

  private constructor(relay: RelayWorld) {
    this.relay = relay;
  }

  /** @param rules what the agent does */
  static async create(
    rules: readonly ScenarioRule[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<DesktopWorld> {
    const relay = await RelayWorld.create({ claude: SCRIPTED_CLAUDE, environment });
    const scenario: Scenario = { rules };
    writeFileSync(path.join(relay.home, '.scripted-claude.json'), JSON.stringify(scenario));
    return new DesktopWorld(relay);
  }

  /** @param platform the system that it plays; macOS has notifications with buttons and replies */
  async start(
    options: {
      readonly args?: readonly string[];
      readonly platform?: NodeJS.Platform;
      readonly env?: Readonly<Record<string, string>>;
      /** Another build than the one in out/. */
      readonly main?: string;
    } = {},
  ): Promise<DesktopApp> {
    const app = await DesktopApp.launch({
      env: {
        ...this.relay.environment,
        // As from a terminal: else the login shell of this machine would be asked for its PATH.
        TERM: 'xterm-256color',
        SIGNALBOX_TEST_PLATFORM: options.platform ?? 'darwin',
        ...options.env,
      },
      args: options.args ?? [],
      ...(options.main === undefined ? {} : { main: options.main }),
    });
    this.apps.push(app);
    await app.until('the hub of the application answers', async () => {
      const { toolTip } = await app.tray();
      return /running|stopped|Killed/.test(toolTip);
    });
    return app;
  }

  /** Kills its hub process as often as the application starts it again. */
  async killHubUntilGivenUp(app: DesktopApp): Promise<void> {
    for (let time = 0; time < HUB_STARTS; time += 1) {
      const pid = await app.until('a hub process runs', () => app.ask<number | null>('utilityPid'));
      process.kill(pid, 'SIGKILL');
      await app.until('it is gone', async () => (await app.ask<number | null>('utilityPid')) !== pid);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.apps) await app[Symbol.asyncDispose]();
    await this.relay[Symbol.asyncDispose]();
  }
}

export const ASKS: ScenarioRule = {
  match: { turn: 1 },
  steps: [{ do: 'ask', question: 'Half up or half even?', options: ['Half up', 'Half even'] }],
};
export const WORKS: ScenarioRule = {
  steps: [
    { do: 'write', path: 'note.txt', content: 'Done.\n' },
    { do: 'done', summary: 'Wrote a note.' },
  ],
};
export const HANGS: ScenarioRule = { steps: [{ do: 'say', text: 'Working.' }, { do: 'hang' }] };
