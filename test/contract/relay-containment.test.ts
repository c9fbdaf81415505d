import { access, chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askPerson, finish, message, toolBlock, useTool } from '../support/model-server/replies.ts';
import { byTurn, scenarioTag, type Script } from '../support/model-server/script.ts';
import { inTree, makeRelayPlace, ROUND_TOTAL, type RelayPlace } from './support/relay-place.ts';

let place: RelayPlace;
/** A file that only comes to be if something ran that must not. */
let marker: string;
beforeEach(async () => {
  place = await makeRelayPlace();
  marker = path.join(place.world.folder, 'tmp', 'it-ran');
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const write = (file: string, content: string): Script =>
  inTree(file, (file_path) => useTool('Write', { file_path, content }));

/** Runs a task by a script up to its first open item of the kind. */
async function runTo(
  kind: string,
  script: Script,
  options: Parameters<RelayPlace['world']['addProject']>[1] = {},
) {
  const { world, model } = place;
  model.script('task', script);
  const repository = await world.addProject('h1-a', options);
  const task = await world.addTask('h1-a', 'Round', scenarioTag('task'));
  await world.startHub();
  return { repository, task, item: await world.untilItem(kind, task) };
}

describe('an agent', () => {
  test('that reaches outside its tree gets nothing, and the attempt is shown on the approve item', async () => {
    const outside = path.join(place.world.home, 'outside.txt');
    const { item, repository } = await runTo(
      'approve',
      byTurn(
        message([
          toolBlock('Write', { file_path: outside, content: 'x' }),
          toolBlock('Write', { file_path: '../escaped.txt', content: 'x' }),
          toolBlock('Bash', { command: `touch ${marker}`, description: 'x' }),
        ]),
        ...ROUND_TOTAL,
        finish('Done.'),
      ),
    );
    expect(await exists(outside)).toBe(false);
    expect(await exists(marker)).toBe(false);
    const denied = item.offer?.notes.filter((note) => note.startsWith('Denied ')) ?? [];
    expect(denied).toEqual([
      expect.stringContaining(`Write: ${outside} is outside`),
      expect.stringMatching(/Write: .*escaped\.txt is outside/),
    ]);
    expect(await repository.git('status', '--porcelain')).toBe('');
  });

  test('cannot plant a hook, and hooks of the repository do not run for us', async () => {
    const { world, model } = place;
    const repository = await world.addProject('h1-a');
    for (const hook of [
      'pre-commit',
      'post-commit',
      'post-checkout',
      'reference-transaction',
      'post-merge',
    ]) {
      const file = path.join(repository.path, '.git/hooks', hook);
      await writeFile(file, `#!/bin/sh\ntouch ${marker}\n`);
      await chmod(file, 0o755);
    }
    model.script(
      'hooks',
      byTurn(
        inTree('.git/hooks/pre-commit', (file_path) => useTool('Write', { file_path, content: 'x' })),
        ...ROUND_TOTAL,
        finish('Done.'),
      ),
    );
    const task = await world.addTask('h1-a', 'Round', scenarioTag('hooks'));
    await world.startHub();
    const offer = await world.untilItem('approve', task);
    await world.json(['approve', String(offer.number)]);
    await world.untilTask(task, ['done']);
    expect(await exists(marker)).toBe(false);
    expect(await repository.show('main', 'invoice.py')).toContain('round(');
  });

  test('that names a filter in .gitattributes is stopped before the filter runs', async () => {
    const { world, model } = place;
    const repository = await world.addProject('h1-a');
    await repository.git('config', 'filter.evil.clean', `sh -c 'touch ${marker}; cat'`);
    await repository.git('config', 'filter.evil.smudge', `sh -c 'touch ${marker}; cat'`);
    model.script(
      'filter',
      byTurn(write('.gitattributes', '*.txt filter=evil\n'), write('note.txt', 'hello\n'), finish('Done.')),
    );
    const task = await world.addTask('h1-a', 'Note', scenarioTag('filter'));
    await world.startHub();
    const review = await world.untilItem('review', task);
    expect(review).toMatchObject({ cause: 'safety-stop' });
    expect(review.details.join('\n')).toContain('note.txt');
    expect(await world.task(task)).toMatchObject({ state: 'parked' });
    expect((await world.status()).projects).toEqual([expect.objectContaining({ enabled: false })]);
    expect((await world.ledger('--kind', 'safety.stop')).length).toBe(1);
    await world.json(['resolve', String(review.number), '--action', 'cancel']);
    await world.untilTask(task, ['cancelled']);
    expect(await exists(marker)).toBe(false);
  });

  test('that changes a file under LFS is stopped unless the person allowed LFS', async () => {
    const { item } = await runTo('review', byTurn(write('data.bin', 'new content\n'), finish('Done.')), {
      files: { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'other.txt': 'x\n' },
    });
    expect(item).toMatchObject({ cause: 'safety-stop' });
    expect(item.details.join('\n')).toContain('data.bin');
  });

  test('that lays out a repository of its own inside the tree has nothing run from it', async () => {
    const { item } = await runTo(
      'review',
      byTurn(
        write('evil/HEAD', 'ref: refs/heads/main\n'),
        write('evil/config', `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = touch ${marker}\n`),
        write('evil/objects/keep', ''),
        write('evil/refs/keep', ''),
        finish('Done.'),
      ),
    );
    expect(item).toMatchObject({ cause: 'safety-stop' });
    expect(await exists(marker)).toBe(false);
  });
});

describe('data that looks real', () => {
  const EMAIL = 'jane.roe@gmail.com';
  const IBAN = 'DE89370400440532013000';

  test('in a task is refused by rule and place, without being repeated', async () => {
    const { world } = place;
    await world.addProject('h1-a');
    const refused = await world.run(
      ['task', 'add', 'h1-a', '--title', 'Mail', '--description', '-', '--json'],
      { input: `Send it to ${EMAIL}, account ${IBAN}.` },
    );
    expect(refused.exitCode).toBe(3);
    expect(refused.json).toEqual({ error: expect.objectContaining({ code: 'data-class-hit' }) });
    for (const value of [EMAIL, IBAN]) expect(refused.stdout + refused.stderr).not.toContain(value);
    expect(await world.json(['task', 'list'])).toEqual([]);
  });

  test('in an answer is refused and leaves the question open', async () => {
    const { world } = place;
    const { item } = await runTo('specify', byTurn(askPerson('Whose?'), ...ROUND_TOTAL, finish('Done.')));
    const refused = await world.run(['answer', String(item.number), '--text', `It is ${IBAN}`, '--json']);
    expect(refused.exitCode).toBe(3);
    expect(refused.stdout + refused.stderr).not.toContain(IBAN);
    expect(await world.item(item.number)).toMatchObject({ state: 'open', answer: null });
    await world.json(['answer', String(item.number), '--text', 'billing@example.com']);
  });

  test('in a changed file parks the task, names rule and place only, and can be let through', async () => {
    const { world } = place;
    const { item, task, repository } = await runTo(
      'review',
      byTurn(write('people.txt', `owner ${EMAIL}\n`), finish('Done.')),
    );
    expect(item).toMatchObject({ cause: 'data-class' });
    expect(item.details.join('\n')).toContain('people.txt');
    const shown = [
      await world.run(['inbox', 'show', String(item.number), '--json']),
      await world.run(['inbox', 'show', String(item.number)]),
      await world.run(['ledger', '--json', '--limit', '1000']),
    ];
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(EMAIL);
    await world.json(['resolve', String(item.number), '--action', 'not-personal-data']);
    const offer = await world.untilItem('approve', task);
    await world.json(['approve', String(offer.number)]);
    await world.untilTask(task, ['done']);
    expect(await repository.show('main', 'people.txt')).toContain(EMAIL);
  });
});

describe('hostile text', () => {
  const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u001b[31mred\r\nover\u0008\u009b1m';
  const BIDI = '\u202eevil\u2066x\u2069\u200b';

  test('of an agent is kept as given and shown without its control and bidirectional characters', async () => {
    const { world } = place;
    const question = `Delete all? ${ESCAPES} ${BIDI} <b onload=x>[link](javascript:x)</b>`;
    const { item, task } = await runTo(
      'specify',
      byTurn(
        askPerson(question, { options: [`yes${ESCAPES}`, `no${BIDI}`], summary: `=1+1 ${ESCAPES}${BIDI}` }),
        ...ROUND_TOTAL,
        finish(`Done ${ESCAPES}${BIDI}`),
      ),
    );
    expect(item.question).toBe(question);
    const shown = [
      await world.run(['inbox']),
      await world.run(['inbox', 'show', String(item.number)]),
      await world.run(['task', 'show', String(task)]),
      await world.run(['task', 'transcript', String(task)]),
      await world.run(['report', 'relay', '--md']),
      await world.run(['ledger']),
    ];
    for (const { exitCode, stdout, stderr } of shown) {
      expect(exitCode).toBe(0);
      // Everything but newline and tab below a space, DEL, C1, and what changes direction or hides.
      expect(stdout + stderr).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/,
      );
    }
    expect(shown[1]?.stdout).toMatch(/claude|Claude Code/);
    await world.json(['answer', String(item.number), '--option', '2']);
    const offer = await world.untilItem('approve', task);
    expect(offer.summary).toContain(BIDI);
  });

  test('of a person, 200 KB full of shell characters, reaches the agent word for word', async () => {
    const { world, model } = place;
    const { item, task } = await runTo('specify', byTurn(askPerson('How?'), ...ROUND_TOTAL, finish('Done.')));
    const line = `$(touch ${marker}); \`touch ${marker}\` && "x" 'y' \\ | > < * ? ~ # ! %PATH% ^ é 漢 😀\n`;
    const answer = line.repeat(Math.ceil(200_000 / Buffer.byteLength(line))).trimEnd();
    expect(Buffer.byteLength(answer)).toBeGreaterThan(195_000);
    await world.json(['answer', String(item.number), '-'], { input: answer });
    await world.untilItem('approve', task);
    const told = model
      .requestsOf('task')
      .at(-1)
      ?.userTexts.filter((text) => text.includes(answer));
    expect(told).toHaveLength(1);
    expect((await world.item(item.number)).answer).toBe(answer);
    expect(await exists(marker)).toBe(false);
  });

  test('and prompts never stand on a command line or in the log', async () => {
    const { world } = place;
    const secret = 'zebra-umbrella-quartz';
    const { item, task } = await runTo(
      'specify',
      byTurn(askPerson(`Is it ${secret}-q?`), ...ROUND_TOTAL, finish('Done.')),
    );
    await world.json(['answer', String(item.number), '-'], { input: `${secret}-a` });
    await world.untilItem('approve', task);
    const argv = JSON.stringify(await world.ledger('--kind', 'harness.'));
    expect(argv).toContain('--restricted');
    expect(argv).not.toContain(secret);
    const log = await readFile(path.join(world.data, 'logs/signalbox.log'), 'utf8');
    expect(log).not.toContain(secret);
  });
});
