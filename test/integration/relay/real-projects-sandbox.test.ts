import { expect, test } from 'vitest';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

/** The scripted agent asks how to round, then edits the module: the default behaviour of the demo. */
async function finish(world: RelayWorld, task: number): Promise<void> {
  const question = await world.untilItem('specify', task, 180_000);
  await world.json(['answer', String(question.number), '--option', '1']);
  const approve = await world.untilItem('approve', task, 180_000);
  expect(approve.offer).toMatchObject({ testOutcome: 'passed', changedFiles: 1 });
  await world.json(['approve', String(approve.number)]);
  await world.untilTask(task, ['done']);
}

const confinements = async (world: RelayWorld, kind: string): Promise<unknown[]> =>
  (await world.ledger('--kind', kind)).map((entry) => entry.data['confinement']);

test('a Node project with a lockfile and a set-up command is set up once, tested in the sandbox and merged', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  const repository = await world.addProject('shop', {
    kind: 'javascript',
    files: {
      'package.json': JSON.stringify({
        name: 'shop',
        private: true,
        version: '1.0.0',
        dependencies: { money: 'file:./vendor/money' },
        scripts: { test: 'node --test' },
      }),
      'package-lock.json': JSON.stringify({
        name: 'shop',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'shop', version: '1.0.0', dependencies: { money: 'file:./vendor/money' } },
          'node_modules/money': { resolved: 'vendor/money', link: true },
          'vendor/money': { version: '1.0.0' },
        },
      }),
      'vendor/money/package.json': JSON.stringify({ name: 'money', version: '1.0.0', main: 'index.js' }),
      'vendor/money/index.js': 'module.exports = { currency: "INR" };\n',
      'money.test.mjs': [
        "import assert from 'node:assert/strict';",
        "import { test } from 'node:test';",
        "import money from 'money';",
        "test('the set-up installed the dependency', () => assert.equal(money.currency, 'INR'));",
        '',
      ].join('\n'),
      '.gitignore': 'node_modules/\n',
    },
    flags: ['--setup', '["npm","ci","--offline","--no-audit","--no-fund"]'],
  });
  await world.json(['project', 'set', 'shop', 'testCommand=["npm","test"]']);
  const task = await world.addTask('shop', 'Round totals', 'Round the total. Ask how. Synthetic data.');
  await world.startHub();
  await finish(world, task);
  expect(await confinements(world, 'setup.result')).toEqual(['bubblewrap']);
  expect(await confinements(world, 'test.result')).toEqual(['bubblewrap']);
  expect(await repository.show('main', 'invoice.mjs')).toContain('Math.round');
}, 400_000);

test('a Python project with a virtual environment of its own is set up, tested in the sandbox and merged', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  const repository = await world.addProject('ledger', {
    kind: 'python',
    files: {
      'requirements.txt': '',
      '.gitignore': '.venv/\n__pycache__/\n',
      'test_venv.py': [
        'import sys',
        'import unittest',
        '',
        '',
        'class VenvTest(unittest.TestCase):',
        '    def test_runs_in_the_virtual_environment(self):',
        '        self.assertTrue(sys.prefix.endswith(".venv"), sys.prefix)',
        '',
      ].join('\n'),
    },
    flags: ['--setup', '["/usr/bin/python3","-m","venv","--without-pip",".venv"]'],
  });
  await world.json(['project', 'set', 'ledger', 'testCommand=[".venv/bin/python","-m","unittest"]']);
  const task = await world.addTask('ledger', 'Round totals', 'Round the total. Ask how. Synthetic data.');
  await world.startHub();
  await finish(world, task);
  expect(await confinements(world, 'test.result')).toEqual(['bubblewrap']);
  expect(await repository.show('main', 'invoice.py')).toContain('round(');
}, 400_000);
