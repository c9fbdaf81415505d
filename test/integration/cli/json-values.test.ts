import { expect, test } from 'vitest';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

test('an export with --json is one JSON value in each format, with all that the text form has', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  await world.addProject('shop');
  await world.addTask('shop', 'A "quoted" title', 'Do it.');
  const exported = async (format: string) => {
    const plain = await world.run(['ledger', 'export', '--format', format]);
    const json = await world.run(['ledger', 'export', '--format', format, '--json']);
    return { text: plain.stdout, json: json.json, stdout: json.stdout };
  };
  const lines = await exported('jsonl');
  expect(lines.json).toEqual(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  );
  // As they are hashed, so that whoever cuts the list apart can verify it.
  expect(lines.stdout).toBe(`[${lines.text.trimEnd().split('\n').join(',')}]\n`);
  const rows = await exported('csv');
  expect(rows.json).toEqual({ format: 'csv', text: rows.text });
});

test('an empty ledger is an empty list', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  expect((await world.run(['ledger', 'export', '--format', 'jsonl', '--json'])).stdout).toBe('[]\n');
});

test('for people a long value of an entry is cut, while --json has it whole', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  await world.addProject('shop');
  const reason = 'word '.repeat(100).trim();
  await world.json(['kill', '--reason', reason]);
  const { stdout } = await world.run(['ledger', '--kind', 'kill.engaged']);
  expect(stdout).toContain('reason=word word');
  expect(stdout).not.toContain(reason);
  expect(await world.json(['ledger', '--kind', 'kill.engaged'])).toMatchObject([{ data: { reason } }]);
});
