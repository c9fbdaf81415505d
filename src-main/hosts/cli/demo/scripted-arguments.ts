/** Flags of a relay turn; any other is refused as the real CLI refuses an unknown one. */
const WITH_VALUE = [
  '--output-format',
  '--json-schema',
  '--session-id',
  '--resume',
  '--model',
  '--tools',
  '--allowedTools',
  '--permission-mode',
  '--permission-prompts',
  '--max-budget-usd',
] as const;
const WITHOUT_VALUE = ['-p', '--print', '--verbose', '--restricted', '--strict-mcp-config'] as const;

export interface ScriptedTurnArguments {
  readonly outputForm: 'json' | 'stream-json';
  readonly sessionId: string;
  readonly session: 'new' | 'resume';
  readonly model: string;
  readonly tools: readonly string[];
  readonly permissionMode: string;
  readonly budgetUsd: number;
}

export type ScriptedArguments =
  | ({ readonly kind: 'turn' } & ScriptedTurnArguments)
  /** A sentence for stderr; the exit code is 1. */
  | { readonly kind: 'wrong'; readonly message: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const wrong = (message: string): ScriptedArguments => ({ kind: 'wrong', message });

/** What the posture of a relay turn must be; a program that drives it otherwise is a bug that tests shall see. */
const EXPECTED = { '--permission-mode': 'acceptEdits', '--permission-prompts': 'none' } as const;

/** Reads the command line of a turn as strictly as the tests need it. */
export function readArguments(argv: readonly string[]): ScriptedArguments {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (WITHOUT_VALUE.some((flag) => flag === word)) {
      flags.add(word);
    } else if (WITH_VALUE.some((flag) => flag === word)) {
      at += 1;
      const value = argv[at];
      if (value === undefined || value === '')
        return wrong(`error: option '${word} <value>' argument missing`);
      values.set(word, value);
    } else if (word.startsWith('-')) {
      return wrong(`error: unknown option '${word}'`);
    } else {
      // The real CLI would take it as the prompt; ours goes on stdin only.
      return wrong(`error: too many arguments. Got '${word.slice(0, 40)}'`);
    }
  }
  return check(flags, values);
}

function check(flags: ReadonlySet<string>, values: ReadonlyMap<string, string>): ScriptedArguments {
  const value = (name: (typeof WITH_VALUE)[number]): string => values.get(name) ?? '';
  const outputForm = value('--output-format');
  if (!flags.has('-p') && !flags.has('--print')) return wrong('Error: only -p is scripted.');
  if (outputForm !== 'json' && outputForm !== 'stream-json') {
    return wrong(`error: option '--output-format <format>' argument '${outputForm}' is invalid.`);
  }
  if (outputForm === 'stream-json' && !flags.has('--verbose')) {
    return wrong('Error: When using --print, --output-format=stream-json requires --verbose');
  }
  try {
    JSON.parse(value('--json-schema'));
  } catch (error) {
    return wrong(`Error: --json-schema is not valid JSON: ${String(error)}`);
  }
  if (values.has('--session-id') && values.has('--resume')) {
    return wrong('Error: --session-id with --continue or --resume also needs --fork-session.');
  }
  const isResume = values.has('--resume');
  const sessionId = isResume ? value('--resume') : value('--session-id');
  if (!UUID.test(sessionId)) {
    return wrong(
      isResume
        ? 'Error: --resume requires a valid session ID or session title when used with --print.'
        : 'Error: Invalid session ID. Must be a valid UUID.',
    );
  }
  const budgetUsd = Number(value('--max-budget-usd'));
  if (!(budgetUsd > 0))
    return wrong(
      "error: option '--max-budget-usd <amount>' argument is invalid. must be a number greater than 0",
    );
  for (const flag of ['--restricted', '--strict-mcp-config']) {
    if (!flags.has(flag)) return wrong(`Error: the scripted claude wants ${flag}.`);
  }
  for (const [flag, expected] of Object.entries(EXPECTED)) {
    if (values.get(flag) !== expected) return wrong(`Error: the scripted claude wants ${flag} ${expected}.`);
  }
  if (value('--tools') !== value('--allowedTools') || value('--tools') === '') {
    return wrong('Error: the scripted claude wants the same --tools and --allowedTools.');
  }
  return {
    kind: 'turn',
    outputForm,
    sessionId,
    session: isResume ? 'resume' : 'new',
    model: value('--model'),
    tools: value('--tools').split(','),
    permissionMode: value('--permission-mode'),
    budgetUsd,
  };
}
