import type { Command } from 'commander';
import { z } from 'zod';
import { definedFields } from '../../../src-shared/api/common.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { define, noteWithoutHub, withSession } from './define.ts';
import type { ApiClient } from './connect.ts';
import type { Host } from './host.ts';
import { renderInbox, renderItem } from './render-item.ts';

interface AnswerFlags {
  readonly text?: string;
  readonly option?: string;
  readonly answers?: string;
}
type Reply = Parameters<ApiClient['inbox']['answer']['mutate']>[0]['reply'];

function parseAnswers(text: string): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('usage', '--answers takes a JSON object of question and answer.', {
      hint: `For example --answers '{"Which rounding?": "2 places"}'.`,
      cause: error,
    });
  }
}

/** Exactly one of `--text`, `--option`, `--answers` and `-`. @throws AppError 'usage' */
async function replyOf(
  host: Host,
  number: string,
  flags: AnswerFlags,
  source: string | undefined,
): Promise<Reply> {
  const given = [flags.text, flags.option, flags.answers, source].filter((each) => each !== undefined);
  if (given.length !== 1 || (source !== undefined && source !== '-')) {
    throw new AppError('usage', 'An answer is given in exactly one way.', {
      hint: `signalbox answer ${shellWord(number)} --text "…", --option 1, --answers '{…}', or - for standard input.`,
    });
  }
  if (flags.option !== undefined) return { kind: 'option', option: flags.option };
  if (flags.answers !== undefined) return { kind: 'answers', answers: parseAnswers(flags.answers) };
  return {
    kind: 'text',
    text: flags.text === undefined || flags.text === '-' ? await host.stdin() : flags.text,
  };
}

/** `inbox`, `inbox show` */
function addInboxCommand(program: Command, host: Host): void {
  const inbox = define(program, 'inbox', 'what waits for a person, oldest first', [
    'signalbox inbox',
    'signalbox inbox show 52',
  ])
    .option('--all', 'closed items too')
    .action((flags: { all?: boolean }) =>
      withSession(host, async (client) => {
        const items = await client.inbox.list.query({ all: flags.all === true });
        host.out.value(items, () => renderInbox(items, host.clock.now()));
      }),
    );
  define(inbox, 'show <item>', 'show an item', ['signalbox inbox show 52']).action((item: string) =>
    withSession(host, async (client) => {
      const found = await client.inbox.show.query({ item });
      host.out.value(found, () => renderItem(found, host.out));
    }),
  );
}

/** What became of the item, in one sentence. */
function outcomeOf(item: ItemView): string {
  const state = item.state.replace('_', ' ');
  if (item.action === 'raise-cap')
    return `Item ${item.number} is resolved: the cap is raised, for everything that it had stopped.`;
  return item.state === 'resolved' && item.action !== null
    ? `Item ${item.number} is resolved: ${visibleLine(item.action)}.`
    : `Item ${item.number} is ${state}.`;
}

/**
 * Does what a person decided about an item, and says what happens now.
 *
 * @param later what only a hub will do, said when none runs; null when nothing is left to do
 */
async function decide(
  host: Host,
  work: (client: ApiClient) => Promise<ItemView>,
  later: string | null | ((item: ItemView) => string),
  outcome: (item: ItemView, hasHub: boolean) => string = outcomeOf,
): Promise<void> {
  await withSession(host, async (client, session) => {
    const item = await work(client);
    host.out.value(item, () => outcome(item, session.hasHub));
    if (later !== null) noteWithoutHub(host, session, typeof later === 'string' ? later : later(item));
  });
}

/** What is left for a hub after an action; what is done at once is said to be done. */
const LATER: Readonly<Record<string, string | null>> = {
  'raise-cap': 'The cap is raised already; work goes on once one does.',
  'more-questions': null,
  answer: 'The answer is stored and delivered once one does.',
  cancel: 'The task is cancelled already; its tree is cleaned up once one does.',
  'give-up': 'The task has ended already; its tree is cleaned up once one does.',
  'leave-on-branch': 'The task is done already; its tree is cleaned up once one does.',
  'check-again': 'A call is tried once one does.',
};

/** A hold ends only by what a call, or a look at the disk, finds. */
function checkedAgain(item: ItemView, hasHub: boolean): string {
  if (item.state !== 'open') return outcomeOf(item);
  const look = `signalbox inbox show ${item.number}`;
  if (item.cause === 'disk-full') {
    return `The disk is still nearly full. Make room and check again; item ${item.number} stays open.`;
  }
  return hasHub
    ? `One call is let through now. Item ${item.number} closes by itself if it works: ${look}`
    : `Nothing was checked yet: a call shows whether it works. Item ${item.number} stays open.`;
}

/** `answer`, `approve`, `reject`, `send-back`, `resolve`, `allow`, `deny`, `undo` */
export function addInboxCommands(program: Command, host: Host): void {
  addInboxCommand(program, host);
  define(program, 'answer <item> [source]', 'answer a question', [
    'signalbox answer 52 --text "Round to 2 places."',
    'signalbox answer 52 --option 1',
    'signalbox answer 52 - < answer.txt',
  ])
    .option('--text <text>', 'free text')
    .option('--option <k>', 'number of an option from 1 as shown, or its exact label; a number wins')
    .option('--answers <json>', 'for an item with several questions: {"question": "answer"}')
    .action(async (item: string, source: string | undefined, flags: AnswerFlags) => {
      const reply = await replyOf(host, item, flags, source);
      await decide(
        host,
        (client) => client.inbox.answer.mutate({ item, reply }),
        'The answer is stored and delivered once one does.',
      );
    });
  define(program, 'approve <item>', 'approve finished work; it is merged', [
    'signalbox approve 53',
    'signalbox approve 53 --commit 1f3a9c0 --note "Good."',
  ])
    .option('--note <text>', 'goes into the record')
    .option('--commit <id>', 'approve only if this commit is on offer')
    .action((item: string, flags: { note?: string; commit?: string }) => {
      const { note, commit } = flags;
      const input = { item, ...definedFields({ note, commit }) };
      return decide(
        host,
        (client) => client.inbox.approve.mutate(input),
        (approved) =>
          approved.commit === null
            ? 'There is nothing to merge: the task is done already; its tree is cleaned up once one does.'
            : 'The approval is stored; the work is merged once one does.',
      );
    });
  define(program, 'reject <item>', 'reject finished work or a question; the task is cancelled', [
    'signalbox reject 53 --reason "Not wanted any more."',
  ])
    .option('--reason <text>', 'goes into the record')
    .action((item: string, flags: { reason?: string }) => {
      const input = { item, ...definedFields({ reason: flags.reason }) };
      return decide(
        host,
        (client) => client.inbox.reject.mutate(input),
        'The tree is cleaned up once one does.',
      );
    });
  define(program, 'send-back <item>', 'send finished work back to the agent', [
    'signalbox send-back 53 --note "Please add a test."',
  ])
    .requiredOption('--note <text>', 'what the agent is told; - reads standard input')
    .action(async (item: string, flags: { note: string }) => {
      const note = flags.note === '-' ? await host.stdin() : flags.note;
      await decide(
        host,
        (client) => client.inbox.sendBack.mutate({ item, note }),
        'The agent is told once one does.',
      );
    });
  define(program, 'resolve <item>', 'take one of the actions of a review or manual item', [
    'signalbox resolve 54 --action retry',
    'signalbox resolve 54 --action more-questions --value 3',
  ])
    .requiredOption('--action <name>', "one of the item's actions: signalbox inbox show <item>")
    .option('--value <value>', 'what the action needs')
    .action((item: string, flags: { action: string; value?: string }) => {
      const input = { item, action: flags.action, ...definedFields({ value: flags.value }) };
      const later = LATER[flags.action];
      return decide(
        host,
        (client) => client.inbox.resolve.mutate(input),
        later === undefined ? 'The choice is stored; the task goes on once one does.' : later,
        flags.action === 'check-again' ? checkedAgain : outcomeOf,
      );
    });
  define(program, 'allow <item>', 'allow a tool request that waits', ['signalbox allow 55']).action(
    (item: string) => decide(host, (client) => client.inbox.allow.mutate({ item }), null),
  );
  define(program, 'deny <item>', 'deny a tool request that waits', [
    'signalbox deny 55 --message "Not this folder."',
  ])
    .option('--message <text>', 'what the agent is told')
    .action((item: string, flags: { message?: string }) => {
      const input = { item, ...definedFields({ message: flags.message }) };
      return decide(host, (client) => client.inbox.deny.mutate(input), null);
    });
  define(program, 'undo <item>', 'take back an answer that no call carries to the agent yet', [
    'signalbox undo 52',
  ]).action((item: string) =>
    decide(
      host,
      (client) => client.inbox.undo.mutate({ item }),
      null,
      (undone) => `Item ${undone.number} is open again; what was said is kept as a draft.`,
    ),
  );
}
