import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ScenarioRule, ScriptedLogEntry } from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import type { RelayWorld } from '../../support/relay-world.ts';

const SCENARIO = '.scripted-claude.json';

/** What the agents of a world do. */
export const plays = ({ home }: RelayWorld, rules: readonly ScenarioRule[]): void =>
  writeFileSync(path.join(home, SCENARIO), JSON.stringify({ rules }));

/** What the scripted agents of a world wrote down, oldest first. */
function agentLog({ home }: RelayWorld): ScriptedLogEntry[] {
  const file = path.join(home, `${SCENARIO}.log`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ScriptedLogEntry);
}

/** Prompts that agents were given, oldest first. */
export const prompts = (world: RelayWorld): Extract<ScriptedLogEntry, { event: 'prompt' }>[] =>
  agentLog(world).filter((entry) => entry.event === 'prompt');

/** A response is acted on after a second rather than five. After the first command, which makes the folder. */
export const shortUndo = ({ data }: RelayWorld): void =>
  writeFileSync(path.join(data, 'config.toml'), 'undoSeconds = 1\n');

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
