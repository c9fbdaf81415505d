import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

/*
 * Against the built command line: parsers are bundled, and a bundled library may find its surroundings changed.
 */
const FORMATS = [
  {
    name: 'config.toml',
    good: 'maxProcesses = 2\n',
    bad: 'maxProcesses = "two"\n',
    broken: 'maxProcesses = \n',
  },
  {
    name: 'config.yaml',
    good: 'maxProcesses: 2\n',
    bad: 'maxProcesses: two\n',
    broken: 'maxProcesses: "1\n',
  },
  { name: 'config.yml', good: 'max_processes: 2\n', bad: 'max_processes: two\n', broken: 'a: b: c\n' },
  { name: 'config.json', good: '{"maxProcesses": 2}', bad: '{"maxProcesses": "two"}', broken: '{"a": ' },
];

test.each(FORMATS)(
  '$name is read, and what is wrong in it is named with its line',
  async ({ name, good, bad, broken }) => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    mkdirSync(world.data, { mode: 0o700 });
    const file = path.join(world.data, name);
    writeFileSync(file, good);
    expect((await world.run(['project', 'list', '--json'])).json).toEqual([]);
    for (const text of [bad, broken]) {
      writeFileSync(file, text);
      const { exitCode, json } = await world.run(['project', 'list', '--json']);
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({ error: { code: 'config-invalid' } });
      expect(JSON.stringify(json)).toMatch(new RegExp(`${name}:\\d`));
    }
  },
);
