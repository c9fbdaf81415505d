import path from 'node:path';
import { Option, type Command } from 'commander';
import { definedFields } from '../../../src-shared/api/common.ts';
import { counted } from '../../../src-shared/counted.ts';
import { ProjectSettings, type ProjectSettingsInput } from '../../../src-shared/model/project.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { amount, collect, define, group, withSession, wholeNumber } from './define.ts';
import type { Host } from './host.ts';
import { renderProject, renderProjects } from './render-project.ts';
import { parseProjectChange, parseSetting, projectKeysHelp } from './setting-args.ts';

interface AddFlags {
  readonly name?: string;
  readonly base?: string;
  readonly slots?: number;
  readonly test?: string;
  readonly setup?: string;
  readonly share?: string[];
  readonly allowNetwork?: boolean;
  readonly testTimeout?: number;
  readonly runTestsAs?: string;
  readonly dataClass?: ProjectSettings['dataClass'];
  readonly model?: string;
  readonly merge?: ProjectSettings['merge'];
  readonly budget?: number;
  readonly maxCallUsd?: number;
  readonly callsPerDay?: number;
  readonly maxQuestions?: number;
  readonly maxAttempts?: number;
}

function commandLine(flag: string, field: 'testCommand' | 'setupCommand', text: string | undefined) {
  if (text === undefined) return undefined;
  return parseSetting(flag, field, text, ProjectSettings.shape[field]) as string[];
}

const settingsOf = (flags: AddFlags): Partial<ProjectSettingsInput> =>
  definedFields({
    testCommand: commandLine('--test', 'testCommand', flags.test),
    setupCommand: commandLine('--setup', 'setupCommand', flags.setup),
    share: flags.share,
    allowNetwork: flags.allowNetwork,
    testTimeoutS: flags.testTimeout,
    runTestsAs: flags.runTestsAs,
    dataClass: flags.dataClass,
    model: flags.model,
    merge: flags.merge,
    budgetUsd: flags.budget,
    perCallUsd: flags.maxCallUsd,
    callsPerDay: flags.callsPerDay,
    maxQuestions: flags.maxQuestions,
    maxAttempts: flags.maxAttempts,
  });

function addCommand(projects: Command, host: Host): void {
  define(projects, 'add <path>', 'register a git repository', [
    'signalbox project add ~/code/shop --test \'["npm","test"]\'',
    'signalbox project add . --name shop --slots 2 --setup \'["npm","ci"]\' --budget 5',
  ])
    .option('--name <name>', "name (default: the folder's)")
    .option('--base <branch>', 'branch that work starts from and merges into (default: the one checked out)')
    .option('--slots <k>', 'tasks at the same time, 0 to 8 (default: 1)', wholeNumber(0, 8))
    .option('--test <json>', 'test command as a JSON list')
    .option('--setup <json>', 'command that prepares a worktree, as a JSON list')
    .option('--share <path>', 'ignored path to copy from the main checkout (may be repeated)', collect)
    .option('--allow-network', 'let test and set-up commands use the network')
    .option('--test-timeout <seconds>', 'longest test run', wholeNumber(1, 7 * 24 * 3600))
    .option(
      '--run-tests-as <user>',
      'operating-system account for test runs, used while testsUnderAccount of the agent is on',
    )
    .addOption(
      new Option('--data-class <class>', 'what data the project holds').choices(['synthetic', 'real']),
    )
    .option('--model <model>', 'model of the agent')
    .addOption(
      new Option('--merge <how>', 'how approved work reaches the base branch').choices([
        'merge',
        'ff',
        'none',
      ]),
    )
    .option('--budget <usd>', 'budget a month', amount(0, 1_000_000))
    .option('--max-call-usd <usd>', 'most that one call may cost', amount(0, 1_000_000))
    .option('--calls-per-day <n>', 'calls a day', wholeNumber(0))
    .option('--max-questions <n>', 'questions a task', wholeNumber(0, 100))
    .option('--max-attempts <n>', 'failed attempts a task', wholeNumber(1, 100))
    .action(async (folder: string, flags: AddFlags) => {
      const settings = settingsOf(flags);
      const { name, base, slots } = flags;
      const input = {
        path: path.resolve(host.cwd, folder),
        settings,
        ...definedFields({ name, base, slots }),
      };
      await withSession(host, async (client) => {
        const project = await client.project.add.mutate(input);
        host.out.value(project, () => renderProject(project, host.out));
      });
    });
}

/** `project add|list|show|set|enable|disable|slots|remove` */
export function addProjectCommands(program: Command, host: Host): void {
  const projects = group(program, 'project', 'registered git repositories', [
    'signalbox project add ~/code/shop --test \'["npm","test"]\'',
    'signalbox project show shop',
  ]);
  addCommand(projects, host);

  define(projects, 'list', 'list the projects', ['signalbox project list']).action(() =>
    withSession(host, async (client) => {
      const list = await client.project.list.query();
      host.out.value(list, () => renderProjects(list));
    }),
  );
  define(projects, 'show <project>', 'show a project, its caps and its settings', [
    'signalbox project show shop',
  ]).action((project: string) =>
    withSession(host, async (client) => {
      const found = await client.project.show.query({ project });
      host.out.value(found, () => renderProject(found, host.out));
    }),
  );
  define(projects, 'set <project> <pairs...>', 'change settings: key=value, key= goes back to the default', [
    'signalbox project set shop slots=2 budget=20 relay_output=json',
    'signalbox project set shop test=\'["npm","test"]\' max-questions=',
  ])
    .addHelpText('after', () => `\nKeys (camelCase, kebab-case or snake_case):\n${projectKeysHelp()}`)
    .action(async (project: string, pairs: string[]) => {
      const { settings, clear, ...others } = parseProjectChange(pairs);
      await withSession(host, async (client) => {
        const changed = await client.project.change.mutate({ project, ...others, settings, clear });
        host.out.value(changed, () => renderProject(changed, host.out));
      });
    });
  for (const [name, description] of [
    ['enable', 'let tasks of a project start'],
    ['disable', 'start nothing more in a project; what runs goes on'],
  ] as const) {
    define(projects, `${name} <project>`, description, [`signalbox project ${name} shop`]).action(
      (project: string) =>
        withSession(host, async (client) => {
          const changed = await client.project[name].mutate({ project });
          host.out.value(changed, () => `${visibleLine(changed.name)} is ${changed.enabled ? 'on' : 'off'}.`);
        }),
    );
  }
  define(projects, 'slots <project> <k>', 'how many tasks may run at the same time, 0 to 8', [
    'signalbox project slots shop 2',
  ]).action(async (project: string, text: string) => {
    if (!/^[0-8]$/.test(text)) {
      throw new AppError('usage', 'A project has 0 to 8 slots.', {
        hint: `signalbox project slots ${project} 2`,
      });
    }
    await withSession(host, async (client) => {
      const changed = await client.project.slots.mutate({ project, slots: Number(text) });
      host.out.value(changed, () => `${visibleLine(changed.name)} has ${counted(changed.slots, 'slot')}.`);
    });
  });
  define(projects, 'remove <project>', 'take a project out; ledger and tasks stay', [
    'signalbox project remove shop',
  ])
    .option('--purge', 'also delete descriptions, answers, transcripts and test output')
    .action((project: string, flags: { purge?: boolean }) =>
      withSession(host, async (client) => {
        const done = await client.project.remove.mutate({ project, purge: flags.purge === true });
        host.out.value(done, () =>
          [
            `${visibleLine(project)} is removed.`,
            ...done.leftIn.map((folder) => `Its repository is gone; files of a worktree are in ${folder}`),
          ].join('\n'),
        );
      }),
    );
}
