import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorView } from '../../../src-shared/api/error.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

/** What was typed, and a word of what to type instead. */
const WRONG: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no command', [], /hub, project/],
  ['an unknown command', ['inbx'], /signalbox inbox/],
  ['a command without its group', ['status'], /signalbox hub status, or signalbox spike status/],
  ['a command that is near none', ['nonsense'], /signalbox --help/],
  ['a group without its command', ['project'], /add, list, show/],
  ['an unknown command of a group', ['task', 'lst'], /signalbox task list/],
  ['a command of a group that is near none', ['task', 'nonsense'], /signalbox task --help/],
  ['an unknown command after one that is a command itself', ['ledger', 'verfy'], /signalbox ledger verify/],
  ['a word after a command with others below it', ['hub', 'nonsense'], /signalbox hub --help/],
  ['help of an unknown command', ['inbx', '--help'], /inbox/],
  ['help of a command that is near none', ['nonsense', '--help'], /signalbox --help/],
  ['the word help before an unknown command', ['help', 'nonsense'], /signalbox --help/],
  ['help of an unknown command of a group', ['task', 'lst', '-h'], /list/],
  ['an unknown option', ['inbox', '--al'], /--all/],
  ['too many arguments', ['inbox', 'show', '1', '2'], /Usage: signalbox inbox show/],
  ['a missing argument', ['project', 'add'], /Usage: signalbox project add/],
  ['a missing option', ['task', 'add', 'shop', '--description', 'x'], /Usage: signalbox task add/],
  ['a missing description', ['task', 'add', 'shop', '--title', 'x'], /--description-file/],
  ['two descriptions', ['task', 'add', 'shop', '-', '--title', 'x', '--description', 'y'], /--description/],
  [
    'a file that is not there',
    ['task', 'add', 'shop', '--title', 'x', '--description-file', 'none'],
    /text file/,
  ],
  ['an option without its value', ['task', 'list', '--project'], /Usage/],
  ['an unknown state', ['task', 'list', '--state', 'asleep'], /Usage/],
  ['an unknown project', ['project', 'show', 'shpo'], /shop/],
  ['an unknown project of a task', ['task', 'add', 'shpo', '--title', 'x', '--description', 'y'], /shop/],
  ['an unknown task', ['task', 'show', '41'], /nearest is 1/],
  ['a task that is no number', ['task', 'diff', 'first'], /tsk_/],
  ['an unknown item', ['inbox', 'show', '7'], /empty/],
  ['an item that is no number', ['answer', 'x', '--text', 'y'], /empty/],
  ['no answer', ['answer', '1'], /--text/],
  ['two answers', ['answer', '1', '--text', 'a', '--option', '1'], /--text/],
  ['answers that are no JSON', ['answer', '1', '--answers', '{x'], /--answers/],
  ['an unknown setting', ['project', 'set', 'shop', 'slotz=2'], /slots=/],
  ['a setting without a value', ['project', 'set', 'shop', 'slots'], /slots=2/],
  ['too many slots', ['project', 'slots', 'shop', '9'], /project slots shop 2/],
  ['slots that are no number', ['project', 'add', '.', '--slots', 'two'], /Usage/],
  ['a test command that is no JSON', ['project', 'add', '.', '--test', 'npm test'], /\["npm","test"\]/],
  ['a folder that is no repository', ['project', 'add', '/'], /./],
  ['a project that is near none', ['project', 'show', 'nonsense'], /signalbox project list/],
  ['a setting that is near none', ['project', 'set', 'shop', 'nonsense=1'], /--help/],
  ['a harness that nothing runs yet', ['agent', 'set', 'claude', 'harness=builtin'], /harness=claude-code/],
  [
    'a task without a title',
    ['task', 'add', 'shop', '--title', '', '--description', 'x'],
    /needs a title\. The/,
  ],
  ['an unknown agent', ['agent', 'show', 'claud'], /claude/],
  ['an unknown field of an agent', ['agent', 'set', 'claude', 'cals_per_day=1'], /callsPerDay=/],
  ['a release without --yes', ['release'], /release --yes/],
  ['nowhere to move a task to', ['task', 'move', '1'], /--before/],
  ['an unknown export format', ['ledger', 'export', '--format', 'xml'], /Usage/],
  ['a time that is none', ['ledger', '--since', 'tomorrow'], /2h/],
  ['a kind of entry that there is not', ['ledger', '--kind', 'nope'], /account\. /],
  ['a kind of entry that is near one', ['ledger', '--kind', 'harness.resul'], /--kind harness\.result/],
  ['a prefix of kinds without its dot', ['ledger', '--kind', 'harness'], /--kind harness\./],
  ['a prefix of kinds that there is not', ['ledger', '--kind', 'harnes.'], /--kind harness\./],
  ['a filter of an export', ['ledger', 'export', '--format', 'csv', '--kind', 'item.'], /Usage: .* export/],
  ['a filter before an export', ['ledger', '--kind', 'item.', 'export', '--format', 'csv'], /Usage/],
  ['an option of the list with one item', ['inbox', 'show', '1', '--all'], /Usage: signalbox inbox show/],
  ['a limit of 0', ['ledger', '--limit', '0'], /Usage/],
  ['a spike without projects', ['spike', 'start'], /Usage: signalbox spike start/],
  ['a spike over an unknown project', ['spike', 'start', 'shpo'], /shop/],
  ['an unknown shell', ['completion', 'csh'], /Usage/],
  ['a time limit that is none', ['hub', '--max-seconds', 'soon'], /Usage/],
];

describe('a wrong invocation', () => {
  let world: RelayWorld;
  beforeAll(async () => {
    world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    await world.addProject('shop');
    await world.addTask('shop', 'First', 'Do it.');
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  test.each(WRONG)(
    '(%s) is exit 2 with one line that says what to type instead',
    async (_name, args, hint) => {
      const plain = await world.run(args);
      expect(plain).toMatchObject({ exitCode: 2, stdout: '' });
      const lines = plain.stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^signalbox: /);
      expect(lines[0]).toMatch(hint);
      expect(plain.stderr).not.toMatch(/\n\s+at |node:internal|Error:/);

      const json = await world.run([...args, '--json']);
      // Where an option's value is missing, --json is taken for it.
      if (args.at(-1) === '--project') return;
      expect(json.exitCode).toBe(2);
      const { error } = ErrorView.strict().parse(json.json);
      expect(`${error.message} ${error.hint ?? ''}`).toMatch(hint);
    },
  );

  test('leaves the ledger as it was', async () => {
    const kinds = (await world.ledger()).map((entry) => entry.kind);
    expect(kinds).toEqual(['project.added', 'task.added']);
  });

  test('a relative SIGNALBOX_HOME is refused, while --help works', async () => {
    await using relative = await RelayWorld.create({
      claude: SCRIPTED_CLAUDE,
      environment: { SIGNALBOX_HOME: 'data' },
    });
    expect(await relative.run(['inbox', '--json'])).toMatchObject({
      exitCode: 2,
      json: { error: { code: 'usage' } },
    });
    expect((await relative.run(['--help'])).exitCode).toBe(0);
  });
});

describe('help', () => {
  test('of every command has an example', async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    const top = await world.run(['--help']);
    expect(top.exitCode).toBe(0);
    const commands = [
      ...['project', 'agent', 'task', 'report', 'spike'],
      ...['hub', 'project add', 'project list', 'project set', 'agent set', 'task add', 'task move', 'inbox'],
      ...[
        'inbox show',
        'answer',
        'approve',
        'reject',
        'send-back',
        'resolve',
        'allow',
        'deny',
        'undo',
        'kill',
      ],
      ...['release', 'pause', 'unpause', 'backup', 'ledger', 'ledger export', 'report relay', 'spike start'],
      ...['doctor', 'completion', 'hub status', 'hub stop', 'task kept', 'task restore', 'task transcript'],
    ];
    for (const command of commands) {
      const { stdout, exitCode } = await world.run([...command.split(' '), '--help']);
      expect([command, exitCode]).toEqual([command, 0]);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}\\$ signalbox ${command}`));
    }
  });

  test('comes for the word help as for the option', async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    for (const command of [[], ['task'], ['task', 'add']]) {
      const [word, option] = [await world.run(['help', ...command]), await world.run([...command, '--help'])];
      expect(word).toEqual(option);
      expect(word.exitCode).toBe(0);
    }
  });

  test('and version are one JSON value with --json', async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    expect((await world.run(['--version', '--json'])).json).toEqual({ text: expect.any(String) as string });
    expect((await world.run(['inbox', '--help', '--json'])).json).toEqual({
      text: expect.any(String) as string,
    });
  });

  test('in the shell comes from completion scripts', async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, exitCode } = await world.run(['completion', shell]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('signalbox complete --');
    }
    const suggestions = await world.run(['complete', '--', 'proj']);
    expect(suggestions.stdout).toContain('project');
  });
});
