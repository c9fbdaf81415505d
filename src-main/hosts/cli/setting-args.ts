import { z } from 'zod';
import { ProjectSettings } from '../../../src-shared/model/project.ts';
import type { ProjectSettingsInput } from '../../../src-shared/model/project.ts';
import { Agent } from '../../../src-shared/model/agent.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { nearName } from '../../../src-shared/near-name.ts';
import { plainIssue } from '../../../src-shared/plain-issue.ts';

/** What the flags of `project add` call a setting, besides its own name. */
const ALIASES: Readonly<Record<string, string>> = {
  test: 'testCommand',
  setup: 'setupCommand',
  budget: 'budgetUsd',
  maxcallusd: 'perCallUsd',
  testtimeout: 'testTimeoutS',
  setuptimeout: 'setupTimeoutS',
  calltimeout: 'callTimeoutS',
  basebranch: 'base',
};

const folded = (key: string): string => key.toLowerCase().replace(/[-_]/g, '');

/** The field that a key means in any of its spellings (`relay_output`, `relay-output`, `relayOutput`). */
function fieldNamed<Field extends string>(key: string, fields: readonly Field[]): Field | null {
  const wanted = folded(key);
  const alias = ALIASES[wanted];
  return fields.find((field) => field === alias) ?? fields.find((field) => folded(field) === wanted) ?? null;
}

const withoutWrappers = (schema: z.ZodType): { readonly schema: z.ZodType; readonly isNullable: boolean } => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return withoutWrappers(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodNullable)
    return { ...withoutWrappers(schema.unwrap() as z.ZodType), isNullable: true };
  return { schema, isNullable: false };
};

const wrong = (key: string, what: string, hint: string): AppError =>
  new AppError('usage', `${key} takes ${what}.`, { hint });

function parseJson(key: string, text: string, what: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(key, what, `For example ${key}='${example}'.`);
  }
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};
const COMMANDS: readonly string[] = ['testCommand', 'setupCommand'];
const FOR_EVER: readonly string[] = ['null', 'never', 'forever', 'for-ever'];

/** The other harness has its place in the model; nothing runs it yet. */
const choicesOf = (field: string, schema: z.ZodEnum): readonly string[] =>
  schema.options.map(String).filter((option) => field !== 'harness' || option !== 'builtin');

/** What a key takes, in a few words for `--help`. */
function kindOf(field: string, given: z.ZodType): string {
  const { schema, isNullable } = withoutWrappers(given);
  const orForEver = isNullable ? ', or forever' : '';
  if (schema instanceof z.ZodBoolean) return `true or false${orForEver}`;
  if (schema instanceof z.ZodNumber) return `a number${orForEver}`;
  if (schema instanceof z.ZodEnum) return choicesOf(field, schema).join(', ');
  if (schema instanceof z.ZodRecord) return 'a JSON object';
  if (COMMANDS.includes(field)) return `a JSON list: '["npm","test"]'`;
  if (schema instanceof z.ZodArray) return 'a list: a,b or ["a","b"]';
  return 'text';
}

/** Reads the text of one value as its field's schema wants it. @throws AppError 'usage' */
export function parseSetting(key: string, field: string, text: string, given: z.ZodType): unknown {
  const { schema, isNullable } = withoutWrappers(given);
  const check = (value: unknown): unknown => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const problem = issue === undefined ? `${key} is not valid.` : plainIssue(issue, key);
    throw new AppError('usage', problem, { hint: 'The command with --help says what each key takes.' });
  };
  if (isNullable && FOR_EVER.includes(text.toLowerCase())) return null;
  if (schema instanceof z.ZodBoolean) {
    const value = BOOLEANS[text.toLowerCase()];
    if (value === undefined) throw wrong(key, 'true or false', `For example ${key}=true.`);
    return value;
  }
  if (schema instanceof z.ZodNumber) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw wrong(key, 'a number', `For example ${key}=3.`);
    return check(Number(text));
  }
  if (schema instanceof z.ZodArray) {
    if (COMMANDS.includes(field)) {
      return check(parseJson(key, text, 'a JSON list of program and arguments', '["npm","test"]'));
    }
    if (text.trimStart().startsWith('[')) return check(parseJson(key, text, 'a list', '["a","b"]'));
    return check(text.split(',').map((part) => part.trim()));
  }
  if (schema instanceof z.ZodRecord) {
    return check(parseJson(key, text, 'a JSON object', '{"policy-number":"POL-[0-9]{8}"}'));
  }
  if (schema instanceof z.ZodEnum) {
    const options = choicesOf(field, schema);
    if (!options.includes(text)) {
      const example = nearName(text, options);
      throw wrong(
        key,
        options.length === 1 ? `only ${options[0]} yet` : `one of ${options.join(', ')}`,
        example === null ? `For example ${key}=${options[0]}.` : `Did you mean ${key}=${example}?`,
      );
    }
    return text;
  }
  return check(text);
}

/** Splits `key=value`. @throws AppError 'usage' */
function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at <= 0) {
    throw new AppError('usage', `"${pair}" is not key=value.`, {
      hint: 'For example slots=2; key= goes back to the default.',
    });
  }
  return [pair.slice(0, at), pair.slice(at + 1)];
}

const unknownKey = (key: string, fields: readonly string[]): AppError =>
  new AppError('usage', `There is no setting "${key}".`, {
    hint: hintFor(nearName(key, fields)),
  });
const hintFor = (near: string | null): string =>
  near === null ? 'The command with --help lists every key.' : `Did you mean ${near}=?`;

export interface ProjectChange {
  name?: string;
  base?: string;
  slots?: number;
  settings: Partial<ProjectSettingsInput>;
  clear: string[];
}

const PROJECT_FIELDS: Readonly<Record<string, z.ZodType>> = {
  name: z.string().min(1),
  base: z.string().min(1),
  slots: z.number().int().min(0).max(8),
};

/** `key=value…` of `project set`. @throws AppError 'usage' naming the nearest key */
export function parseProjectChange(pairs: readonly string[]): ProjectChange {
  const settingFields = Object.keys(ProjectSettings.shape);
  const fields = [...Object.keys(PROJECT_FIELDS), ...settingFields];
  const change: ProjectChange & Record<string, unknown> = { settings: {}, clear: [] };
  for (const pair of pairs) {
    const [key, text] = splitPair(pair);
    const field = fieldNamed(key, fields);
    if (field === null) throw unknownKey(key, fields);
    const own = PROJECT_FIELDS[field];
    if (own !== undefined) {
      if (text === '')
        throw new AppError('usage', `${key} cannot be cleared.`, { hint: `Give it a value: ${key}=…` });
      change[field] = parseSetting(key, field, text, own);
    } else if (text === '') {
      change.clear.push(field);
    } else {
      const schema = ProjectSettings.shape[field as keyof typeof ProjectSettings.shape];
      Object.assign(change.settings, { [field]: parseSetting(key, field, text, schema) });
    }
  }
  return change;
}

type AgentField = Exclude<keyof Agent, 'name'>;

export interface AgentChange {
  readonly change: Record<string, unknown>;
  readonly clear: AgentField[];
}

/** `key=value…` of `agent set`. @throws AppError 'usage' naming the nearest key */
export function parseAgentChange(pairs: readonly string[]): AgentChange {
  const { name: _name, ...shape } = Agent.shape;
  const fields = Object.keys(shape) as AgentField[];
  const changed: AgentChange = { change: {}, clear: [] };
  for (const pair of pairs) {
    const [key, text] = splitPair(pair);
    const field = fieldNamed(key, fields);
    if (field === null) throw unknownKey(key, fields);
    if (text === '') changed.clear.push(field);
    else changed.change[field] = parseSetting(key, field, text, shape[field]);
  }
  return changed;
}

const helpOf = (shape: Readonly<Record<string, z.ZodType>>): string => {
  const width = Math.max(...Object.keys(shape).map((key) => key.length));
  return Object.entries(shape)
    .map(([key, schema]) => `  ${key.padEnd(width)}  ${kindOf(key, schema)}`)
    .join('\n');
};

export const SETTING_KEYS: readonly string[] = [
  ...Object.keys(PROJECT_FIELDS),
  ...Object.keys(ProjectSettings.shape),
];
/** Every key and what it takes, one a line. */
export const projectKeysHelp = (): string => helpOf({ ...PROJECT_FIELDS, ...ProjectSettings.shape });
export function agentKeysHelp(): string {
  const { name: _name, ...shape } = Agent.shape;
  return helpOf(shape);
}
