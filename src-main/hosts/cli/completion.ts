import { Argument, type Command } from 'commander';
import { define } from './define.ts';
import type { Host } from './host.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What the shell's script calls at each TAB: `signalbox complete -- <words>`. Prints suggestions, never fails. */
export async function completeWords(program: Command, words: readonly string[]): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(program, { completionCommandName: 'completion-script' }).parse([...words]);
}

/** `completion <shell>` */
export function addCompletion(program: Command, host: Host): void {
  define(program, 'completion', 'print the script that completes commands in your shell', [
    'signalbox completion bash >> ~/.bashrc',
    'signalbox completion zsh > ~/.zfunc/_signalbox',
    'signalbox completion fish > ~/.config/fish/completions/signalbox.fish',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices([...SHELLS]))
    .action(async (shell: (typeof SHELLS)[number]) => {
      const script = await scriptOf(shell);
      host.out.value({ shell, script }, () => script.replace(/\n$/, ''));
    });
}

const OF_THE_PACKAGE = '_get_comp_words_by_ref -n "=:" cur prev words cword';

/** Lines of the library's script that put what stands on the command line through `eval`, quoted by nothing. */
const EVALUATED = [
  [
    'requestComp="signalbox complete -- ${words[@]:1}"',
    'requestComp=(signalbox complete -- "${words[@]:1}")',
  ],
  // The empty word at the end of a line is among the quoted ones already.
  ['requestComp="$requestComp \'\'"', ':'],
  ['out=$(eval "$requestComp" 2>/dev/null)', 'out=$("${requestComp[@]}" 2>/dev/null)'],
] as const;

/** @throws when the library's script is another than the one that this was written for */
function withoutEval(script: string): string {
  const safe = EVALUATED.reduce((text, [evaluated, quoted]) => {
    if (!text.includes(evaluated)) throw new Error(`The script for bash has no line ${evaluated}`);
    return text.replace(evaluated, () => quoted);
  }, script);
  if (/\beval\b/.test(safe)) throw new Error('The script for bash evaluates what is typed.');
  return safe;
}

/**
 * The library's script runs what is typed at each TAB, wants the package bash-completion, and declares names that
 * belong to nobody as read-only, so that reading it twice fails.
 */
export const forPlainBash = (script: string): string =>
  withoutEval(script)
    .replaceAll('ShellCompDirective', '__signalbox_directive_')
    .replaceAll(/^readonly /gm, '')
    .replace(
      OF_THE_PACKAGE,
      [
        'if declare -F _get_comp_words_by_ref > /dev/null; then',
        `        ${OF_THE_PACKAGE}`,
        '    else',
        '        words=("${COMP_WORDS[@]}")',
        '        cword=$COMP_CWORD',
        '        cur=${words[cword]}',
        '        prev=${words[cword - 1]}',
        '    fi',
      ].join('\n'),
    );

/** The library prints by console.log and hands nothing back. */
async function scriptOf(shell: (typeof SHELLS)[number]): Promise<string> {
  const { default: tab } = await import('@bomb.sh/tab');
  const lines: string[] = [];
  const original = globalThis.console.log;
  globalThis.console.log = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
  try {
    tab.setup('signalbox', 'signalbox', shell);
  } finally {
    globalThis.console.log = original;
  }
  const script = lines.join('\n');
  return shell === 'bash' ? forPlainBash(script) : script;
}
