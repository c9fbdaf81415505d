import path from 'node:path';
import { Option, type Command } from 'commander';
import type { TranscriptEntryView } from '../../../src-shared/api/task.ts';
import { TASK_STATES, type TaskState } from '../../../src-shared/model/task.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { definedFields } from '../../../src-shared/api/common.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { define, group, noteWithoutHub, withSession } from './define.ts';
import type { Host } from './host.ts';
import { readTextFile } from './read-text.ts';
import { renderDiff, renderKept, renderTask, renderTasks, renderTranscriptEntry } from './render-task.ts';

const PAGE = 500;

interface DescriptionFlags {
  readonly description?: string;
  readonly descriptionFile?: string;
}

/** Exactly one of `--description`, `--description-file` and `-`. @throws AppError 'usage' */
async function descriptionOf(
  host: Host,
  flags: DescriptionFlags,
  source: string | undefined,
): Promise<string> {
  const given = [flags.description, flags.descriptionFile, source].filter((each) => each !== undefined);
  if (given.length !== 1 || (source !== undefined && source !== '-')) {
    throw new AppError('usage', 'A task needs exactly one description.', {
      hint: 'Give --description "…", --description-file notes.md, or - for standard input.',
    });
  }
  if (given[0] === '-') return host.stdin();
  if (flags.description !== undefined) return flags.description;
  return readTextFile(path.resolve(host.cwd, flags.descriptionFile ?? ''));
}

function addTaskCommand(tasks: Command, host: Host): void {
  define(tasks, 'add', 'add a task; it is ready at once', [
    'signalbox task add shop --title "Round totals" --description "Round every total to 2 places."',
    'signalbox task add shop --title "Round totals" - < notes.md',
  ])
    .argument('<project>', 'name or id of the project')
    .argument('[source]', '- reads the description from standard input')
    .requiredOption('--title <title>', 'one line')
    .option('--description <text>', 'what is to be done')
    .option('--description-file <file>', 'read it from a file')
    .option('--draft', 'keep it as a draft')
    .action(
      async (
        project: string,
        source: string | undefined,
        flags: DescriptionFlags & { title: string; draft?: boolean },
      ) => {
        const description = await descriptionOf(host, flags, source);
        const input = { project, title: flags.title, description, draft: flags.draft === true };
        await withSession(host, async (client, session) => {
          const task = await client.task.add.mutate(input);
          host.out.value(task, () => `Task ${task.number} is ${task.state}.`);
          if (task.state === 'ready') noteWithoutHub(host, session, 'The task starts once one does.');
        });
      },
    );
}

function addQueueCommands(tasks: Command, host: Host): void {
  define(tasks, 'submit <task>', 'make a draft ready', ['signalbox task submit 14']).action((task: string) =>
    withSession(host, async (client) => {
      const ready = await client.task.submit.mutate({ task });
      host.out.value(ready, () => `Task ${ready.number} is ${ready.state}.`);
    }),
  );
  define(
    tasks,
    'cancel <task>',
    'end a task; commits stay on its branch, other changes are kept on a side ref',
    ['signalbox task cancel 14'],
  ).action((task: string) =>
    withSession(host, async (client) => {
      const cancelled = await client.task.cancel.mutate({ task });
      host.out.value(cancelled, () => `Task ${cancelled.number} is ${cancelled.state}.`);
    }),
  );
  define(tasks, 'retry <task>', 'go on with a task that was parked or ended, in its session', [
    'signalbox task retry 14',
    'signalbox task retry 14 --fresh',
  ])
    .option('--fresh', 'in a new session')
    .action((task: string, flags: { fresh?: boolean }) =>
      withSession(host, async (client, session) => {
        const retried = await client.task.retry.mutate({ task, fresh: flags.fresh === true });
        host.out.value(retried, () => `Task ${retried.number} is ${retried.state}.`);
        noteWithoutHub(host, session, 'The task goes on once one does.');
      }),
    );
  define(tasks, 'move <task>', "change the order of a project's queue", [
    'signalbox task move 14 --before 9',
    'signalbox task move 14 --last',
  ])
    .option('--before <task>', 'the task that shall come after it')
    .option('--last', 'to the end')
    .action(async (task: string, flags: { before?: string; last?: boolean }) => {
      if ((flags.before === undefined) === (flags.last !== true)) {
        throw new AppError('usage', 'Say where the task goes.', {
          hint: `signalbox task move ${task} --before <task>, or --last`,
        });
      }
      await withSession(host, async (client) => {
        const moved = await client.task.move.mutate({ task, before: flags.before ?? null });
        host.out.value(moved, () => `Task ${moved.number} is moved.`);
      });
    });
  define(tasks, 'kept', 'list what is kept of ended tasks: changes on side refs, commits on branches', [
    'signalbox task kept',
  ]).action(() =>
    withSession(host, async (client) => {
      const kept = await client.task.kept.query();
      host.out.value(kept, () => renderKept(kept));
    }),
  );
  define(
    tasks,
    'restore <task>',
    'put what was kept of a task onto a new branch, or name the branch that has its commits',
    ['signalbox task restore 14'],
  ).action((task: string) =>
    withSession(host, async (client) => {
      const restored = await client.task.restore.mutate({ task });
      host.out.value(
        restored,
        () => `Branch ${visibleLine(restored.branch)} holds commit ${restored.commit}.`,
      );
    }),
  );
}

/** `task add|list|show|submit|cancel|retry|move|diff|transcript|kept|restore` */
export function addTaskCommands(program: Command, host: Host): void {
  const tasks = group(program, 'task', 'units of work', [
    'signalbox task add shop --title "Round totals" --description "Round every total to 2 places."',
    'signalbox task list',
  ]);
  addTaskCommand(tasks, host);
  define(tasks, 'list', 'list tasks in the order of their queues', [
    'signalbox task list',
    'signalbox task list --project shop --state ready',
  ])
    .option('--project <project>', 'of one project')
    .addOption(new Option('--state <state>', 'in one state').choices([...TASK_STATES]))
    .action((flags: { project?: string; state?: TaskState }) =>
      withSession(host, async (client) => {
        const { project, state } = flags;
        const list = await client.task.list.query(definedFields({ project, state }));
        host.out.value(list, () => renderTasks(list));
      }),
    );
  define(tasks, 'show <task>', 'show a task', ['signalbox task show 14']).action((task: string) =>
    withSession(host, async (client) => {
      const found = await client.task.show.query({ task });
      host.out.value(found, () => renderTask(found, host.out));
    }),
  );
  define(tasks, 'diff <task>', 'what the task changed, against its base commit', [
    'signalbox task diff 14',
  ]).action((task: string) =>
    withSession(host, async (client) => {
      const view = await client.task.diff.query({ task });
      host.out.value(view, () => renderDiff(view.diff));
    }),
  );
  define(tasks, 'transcript <task>', 'the conversation, as Signalbox kept it', [
    'signalbox task transcript 14',
  ]).action((task: string) =>
    withSession(host, async (client) => {
      const entries: TranscriptEntryView[] = [];
      for (let after = 0; ;) {
        const page = await client.task.transcript.query({ task, after, limit: PAGE });
        entries.push(...page);
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        after = last.id;
      }
      host.out.value(entries, () =>
        entries.length === 0
          ? 'Nothing was said yet.'
          : entries.map((entry) => renderTranscriptEntry(entry, host.out)).join('\n'),
      );
    }),
  );
  addQueueCommands(tasks, host);
}
