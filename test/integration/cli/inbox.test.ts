import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scenario } from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

let world: RelayWorld;
beforeEach(async () => {
  world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
});
afterEach(() => world[Symbol.asyncDispose]());

const play = (scenario: Scenario): Promise<void> =>
  writeFile(path.join(world.home, '.scripted-claude.json'), JSON.stringify(scenario));

const untilIdle = (): Promise<unknown> => world.run(['hub', '--until-idle', '--max-seconds', '60']);

describe('the inbox without a hub', () => {
  test('takes an answer back, and what is delivered later is the last one', async () => {
    await play({
      rules: [
        { match: { turn: 1 }, steps: [{ do: 'ask', question: 'Which rounding?', options: ['up', 'down'] }] },
        {
          steps: [
            { do: 'write', path: 'a.txt', content: 'A\n' },
            { do: 'done', summary: 'Wrote a.' },
          ],
        },
      ],
    });
    await world.addProject('shop', { withoutTests: true });
    const task = await world.addTask('shop', 'Round', 'Round the totals.');
    await untilIdle();
    expect((await world.run(['answer', '1', '--text', 'wrong'])).exitCode).toBe(0);
    const undone = await world.run(['undo', '1']);
    expect([undone.exitCode, undone.stdout, undone.stderr]).toEqual([
      0,
      'Item 1 is open again; what was said is kept as a draft.\n',
      '',
    ]);
    expect(await world.item(1)).toMatchObject({ state: 'open', answer: 'wrong', delivery: 'none' });
    await world.json(['answer', '1', '--option', '2']);
    await untilIdle();
    expect(await world.item(1)).toMatchObject({ state: 'answered', answer: 'down', delivery: 'seen' });
    const transcript = JSON.stringify(await world.json(['task', 'transcript', String(task)]));
    expect(transcript).toContain('\\ndown\\n');
    expect(transcript).not.toContain('wrong');
    const late = await world.run(['undo', '1']);
    expect([late.exitCode, late.stderr]).toEqual([5, expect.stringContaining('the agent has read it')]);
  });

  test('raises a budget at once for all that it had parked, and says what is left for a hub', async () => {
    await play({ rules: [{ steps: [{ do: 'done', summary: 'Nothing to do.' }] }] });
    await world.addProject('shop', { withoutTests: true, flags: ['--budget', '0.011', '--slots', '1'] });
    await world.addTask('shop', 'First', 'Do it.');
    const parked = [await world.addTask('shop', 'Second', 'x'), await world.addTask('shop', 'Third', 'x')];
    await untilIdle();
    const items = (await world.inbox()).filter((item) => item.cause === 'budget-used-up');
    expect(items).toHaveLength(2);
    const number = String(items[0]?.number);
    const least = items[0]?.budget?.leastUsd ?? 0;
    const low = await world.run(['resolve', number, '--action', 'raise-cap', '--value', '0.01']);
    expect([low.exitCode, low.stderr]).toEqual([2, expect.stringContaining(`--value ${least}`)]);
    const raised = await world.run(['resolve', number, '--action', 'raise-cap', '--value', '5']);
    expect([raised.exitCode, raised.stdout, raised.stderr]).toEqual([
      0,
      `Item ${number} is resolved: the cap is raised, for everything that it had stopped.\n`,
      'No hub is running. The cap is raised already; work goes on once one does. Start the hub: signalbox hub\n',
    ]);
    expect((await world.inbox()).filter((item) => item.cause === 'budget-used-up')).toEqual([]);
    await untilIdle();
    for (const task of parked) expect((await world.task(task)).state).toBe('awaiting_approval');
  });

  test('shows with failed tests what failed, and says so of a check that nobody made yet', async () => {
    await play({
      rules: [
        {
          steps: [
            { do: 'write', path: 'a.txt', content: 'A\n' },
            { do: 'done', summary: 'A.' },
          ],
        },
      ],
    });
    const test = ['--test', '["sh","-c","echo boom; exit 3"]', '--max-attempts', '1'];
    await world.addProject('shop', { withoutTests: true, flags: test });
    const task = await world.addTask('shop', 'Write', 'Write it.');
    await untilIdle();
    const shown = [await world.run(['inbox', 'show', '1']), await world.run(['task', 'show', String(task)])];
    for (const { stdout } of shown) {
      expect(stdout).toContain('failed with exit code 3');
      expect(stdout).toContain("sh -c 'echo boom; exit 3'");
      expect(stdout).toContain("┌ end of the tests' output\n│ boom\n└");
    }
    await play({ auth: { loggedIn: false }, rules: [] });
    await world.addTask('shop', 'Second', 'x');
    await untilIdle();
    const login = (await world.inbox()).find((item) => item.cause === 'login');
    const checked = await world.run(['resolve', String(login?.number), '--action', 'check-again']);
    expect([checked.exitCode, checked.stdout]).toEqual([
      0,
      `Nothing was checked yet: a call shows whether it works. Item ${login?.number} stays open.\n`,
    ]);
    expect(checked.stderr).toContain('A call is tried once one does.');
  });
});
