import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ScenarioStep } from './scripted-scenario.ts';
import type { ScriptedSession } from './scripted-session.ts';

export const DEMO_QUESTION = 'Round to 2 places or to the nearest rupee?';
export const DEMO_OPTIONS = ['2 places', 'Nearest rupee'] as const;

type Rounding = 'places' | 'rupee';

/**
 * The choice in a framed answer. The frame repeats the question, which names both, so the question is taken out
 * before the words are looked for.
 */
export function readRounding(prompt: string): Rounding {
  const answer = prompt.replaceAll(DEMO_QUESTION, ' ').replaceAll(DEMO_OPTIONS.join(', '), ' ');
  const places = Math.max(
    ...['2 places', 'two places', '2 decimal'].map((word) => answer.toLowerCase().lastIndexOf(word)),
  );
  return answer.toLowerCase().lastIndexOf('rupee') > places ? 'rupee' : 'places';
}

/**
 * The change itself: the sum that the module's function gives back, rounded.
 *
 * @returns null when there is nothing to round, or it is rounded already
 */
export function roundTotal(
  source: string,
  language: 'python' | 'javascript',
  rounding: Rounding,
): { readonly from: string; readonly to: string } | null {
  const isRounded = /\bround\(/i.test(source);
  if (isRounded) return null;
  if (language === 'python') {
    const start = /^[ \t]+return (?=.*\b(?:sum\(|total\b))/m.exec(source);
    if (start === null) return null;
    const before = start[0];
    const value = balancedLine(source.slice(start.index + before.length));
    return { from: before + value, to: `${before}round(${value}${rounding === 'rupee' ? '' : ', 2'})` };
  }
  const sum =
    /^([ \t]*return )([^;]*(?:\.reduce\(|\b(?:sum|total)\b)[^;]*)(;)/m.exec(source) ??
    /^(.*=>[ \t]*)([\w.]+\.reduce\(.*?)(;[ \t]*)$/m.exec(source);
  if (sum === null) return null;
  const [from, before = '', value = '', after = ''] = sum;
  const rounded = rounding === 'rupee' ? `Math.round(${value})` : `Math.round((${value}) * 100) / 100`;
  return { from, to: `${before}${rounded}${after}` };
}

/** The text up to the end of the line in which every bracket is closed again. */
function balancedLine(text: string): string {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) open -= 1;
    else if (character === '\n' && open <= 0) return text.slice(0, at);
  }
  return text;
}

const LANGUAGES = { '.py': 'python', '.js': 'javascript', '.mjs': 'javascript' } as const;

/** The edit of the first module in the folder that has a sum to round; tests are left alone. */
function findEdit(cwd: string, rounding: Rounding): ScenarioStep | null {
  for (const name of readdirSync(cwd).toSorted()) {
    const language = LANGUAGES[path.extname(name) as keyof typeof LANGUAGES];
    if (language === undefined || /test/i.test(name)) continue;
    const change = roundTotal(readFileSync(path.join(cwd, name), 'utf8'), language, rounding);
    if (change !== null) return { do: 'edit', path: name, ...change };
  }
  return null;
}

/** What an agent does that was told to ask when in doubt: ask once, then do as it was told. */
export function demoSteps(session: ScriptedSession, prompt: string, cwd: string): readonly ScenarioStep[] {
  if (session.promptsSinceQuestion === null) {
    return [
      { do: 'say', text: 'The task does not say how the total is rounded, so I ask.' },
      {
        do: 'ask',
        question: DEMO_QUESTION,
        options: DEMO_OPTIONS,
        summary: 'The rounding rule decides what the total of an invoice is.',
      },
    ];
  }
  // A later prompt (failed tests, an interruption) does not repeat the answer, so all since the question count.
  const rounding = readRounding([...session.promptsSinceQuestion, prompt].join('\n'));
  const edit = findEdit(cwd, rounding);
  const rule = rounding === 'rupee' ? 'to the nearest rupee' : 'to 2 places';
  if (edit === null)
    return [{ do: 'done', summary: `Totals are rounded ${rule}; there was nothing left to change.` }];
  return [
    { do: 'read', path: 'path' in edit ? edit.path : '.' },
    edit,
    { do: 'done', summary: `Totals are now rounded ${rule}.` },
  ];
}
