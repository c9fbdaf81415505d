import { ZodError } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import {
  ProjectSettings,
  type Project,
  type ProjectSettingsInput,
} from '../../../src-shared/model/project.ts';
import { plainIssue } from '../../../src-shared/plain-issue.ts';
import type { LedgerValue } from '../../../src-shared/model/ledger-entry.ts';
import { microUsdFromUsd } from '../../../src-shared/money.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { patternProblem } from '../data-class/project-patterns.ts';
import type { HashText } from '../ports/world.ts';

const NAME_MOST = 100;

/** Control and format characters: they would let one name pass for another in a list, or steer a terminal. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * @param what how the name is called to the person who gave it
 * @param hint what to do
 * @returns the name without blanks around it
 * @throws AppError 'usage' for a name that is empty, too long or not visible as it is
 */
export function checkVisibleName(what: string, name: string, hint: string): string {
  // Before blanks go: a line feed at the end is one too.
  if (HIDDEN.test(name)) {
    throw usage(`${what} "${visibleLine(name)}" has characters that cannot be seen.`, hint);
  }
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= NAME_MOST) return trimmed;
  throw usage(`${what} has 1 to ${NAME_MOST} visible characters.`, hint);
}

const NAME_HINT = 'Give another one: --name NAME at project add, name=NAME at project set.';

/** @throws AppError 'usage' for a name that cannot be typed, or that is read as a path, an option or an id */
export function checkProjectName(name: string): string {
  const trimmed = checkVisibleName('A project name', name, NAME_HINT);
  if (/[/\\]/.test(trimmed) || /^\.{1,2}$/.test(trimmed)) {
    throw usage(`The project name "${trimmed}" is a path: it must not have "/" or "\\".`, NAME_HINT);
  }
  if (trimmed.startsWith('-') || trimmed.startsWith('prj_')) {
    throw usage('A project name must not start with "-" or "prj_".', NAME_HINT);
  }
  return trimmed;
}

/** @throws AppError 'usage' */
export function checkSlots(slots: number): number {
  if (Number.isInteger(slots) && slots >= 0 && slots <= 8) return slots;
  throw usage('A project has 0 to 8 slots.', 'Give a whole number from 0 to 8.');
}

/**
 * Settings with their defaults, checked in themselves. What they refer to outside (agent, account, branch) is
 * the service's business.
 *
 * @throws AppError 'usage' naming the setting
 */
export function parseSettings(input: ProjectSettingsInput): ProjectSettings {
  let settings: ProjectSettings;
  try {
    settings = ProjectSettings.parse(input);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const [issue] = error.issues;
    throw new AppError('usage', issue === undefined ? 'The settings are not valid.' : plainIssue(issue), {
      hint: 'What each setting takes: signalbox project set --help',
      cause: error,
    });
  }
  for (const key of ['share', 'setupInputs', 'forbiddenPaths'] as const) {
    const outside = settings[key]?.find((each) => !staysInside(each));
    if (outside !== undefined) {
      throw usage(`${key}: ${outside} is not a path inside the repository.`, 'Give it relative to the root.');
    }
  }
  for (const key of ['testCommand', 'setupCommand'] as const) {
    if (settings.shell && (settings[key]?.length ?? 1) !== 1) {
      throw usage(
        `${key}: with shell=true the command is one string.`,
        `For example ${key}='["npm test"]', or set shell=false.`,
      );
    }
  }
  for (const [name, source] of Object.entries(settings.dataPatterns)) {
    const problem = patternProblem(source);
    if (problem !== null) throw usage(`dataPatterns.${name}: ${problem}.`, 'Mend it, or leave it out.');
  }
  if (settings.model !== undefined) checkModel(settings.model);
  // It becomes an argument of sudo and setfacl: a leading dash or a colon would mean something there.
  if (settings.runTestsAs !== undefined && !/^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(settings.runTestsAs)) {
    throw usage(`runTestsAs: ${settings.runTestsAs} is not the name of an account.`, 'See getent passwd.');
  }
  return settings;
}

/** @throws AppError 'usage' for what no program takes as the name of a model: it becomes an argument of one */
export function checkModel(model: string): void {
  if (!/^[^\s-]\S*$/.test(model) || HIDDEN.test(model)) {
    throw usage(`model: "${visibleLine(model)}" is not the name of a model.`, 'For example model=sonnet.');
  }
}

const usage = (message: string, hint: string): AppError => new AppError('usage', message, { hint });

const staysInside = (path: string): boolean =>
  !/^([/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..');

/** Settings in dollars, which the ledger holds in whole micro-dollars under a name that says so. */
const MONEY: Readonly<Record<string, string>> = {
  budgetUsd: 'budgetMicroUsd',
  perCallUsd: 'perCallMicroUsd',
};
/** Names and patterns of people's data are what must not be spread: only their number and a hash are told. */
const PRIVATE: ReadonlySet<string> = new Set(['denyNames', 'dataPatterns']);

function ledgerValue(key: string, value: unknown, hash: HashText): LedgerValue {
  if (value === undefined) return null;
  if (key in MONEY) return microUsdFromUsd(value as number);
  if (PRIVATE.has(key)) {
    return { entries: Object.keys(value as object).length, hash: hash(JSON.stringify(value)) };
  }
  // What is left of the settings are strings, integers, booleans, null and lists of strings.
  return value as LedgerValue;
}

/** Facts of a project that a person can change, by name, as the ledger tells them. */
export function projectFacts(project: Project, hash: HashText): Readonly<Record<string, LedgerValue>> {
  const facts: Record<string, LedgerValue> = {
    name: project.name,
    baseBranch: project.baseBranch,
    slots: project.slots,
  };
  for (const key of Object.keys(ProjectSettings.shape) as (keyof ProjectSettings)[]) {
    facts[MONEY[key] ?? key] = ledgerValue(key, project.settings[key], hash);
  }
  return facts;
}

/** What a new project has that is not the default, and always what it is about. */
export function addedFacts(project: Project, hash: HashText): Readonly<Record<string, LedgerValue>> {
  const facts = projectFacts(project, hash);
  const defaults = projectFacts({ ...project, settings: ProjectSettings.parse({}) }, hash);
  const always: ReadonlySet<string> = new Set(['baseBranch', 'slots', 'dataClass', 'testCommand']);
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([key, value]) => always.has(key) || JSON.stringify(value) !== JSON.stringify(defaults[key]),
    ),
  );
}

export type FieldChanges = Readonly<Record<string, { readonly old: LedgerValue; readonly new: LedgerValue }>>;

/** Old and new value of every fact that differs. */
export function changedFacts(before: Project, after: Project, hash: HashText): FieldChanges {
  const old = projectFacts(before, hash);
  const now = projectFacts(after, hash);
  return Object.fromEntries(
    Object.keys(now)
      .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
      .map((key) => [key, { old: old[key] ?? null, new: now[key] ?? null }]),
  );
}
