import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import { nearName } from '../../src-shared/near-name.ts';
import { plainIssue } from '../../src-shared/plain-issue.ts';

/** What `config.toml|yaml|json` may say. Keys are camelCase or snake_case; all have a default. */
export const Config = z.strictObject({
  /** Hub-wide limit of concurrent agent and test processes. */
  maxProcesses: z.number().int().min(1).max(100).default(4),
  /** How long a response given in a window can be taken back. */
  undoSeconds: z.number().min(0).max(30).default(5),
  /** Claude Code's executable; `SIGNALBOX_CLAUDE` goes before it. */
  claude: z.string().min(1).optional(),
});
export type Config = z.infer<typeof Config>;

export const DEFAULT_CONFIG: Config = Config.parse({});

export const CONFIG_NAMES = ['config.toml', 'config.yaml', 'config.yml', 'config.json'] as const;

interface Parsed {
  readonly value: unknown;
  /** 1-based line of a top-level key; null when it is not known. */
  lineOf(key: string): number | null;
}

const invalid = (
  file: string,
  line: number | null,
  problem: string,
  hint?: string,
  cause?: unknown,
): AppError =>
  new AppError(
    'config-invalid',
    `${file}${line === null ? '' : `:${line}`}: ${problem.replace(/\.$/, '')}.`,
    {
      hint: hint ?? 'Correct the file, or take it away to use the defaults.',
      cause,
    },
  );

async function parseToml(file: string, text: string): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    const value = parse(text);
    const lines = text.split('\n');
    return {
      value,
      lineOf: (key) => {
        const at = lines.findIndex((line) => line.trimStart().startsWith(key));
        return at === -1 ? null : at + 1;
      },
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = 'not valid'] = error.message.split('\n');
    throw invalid(file, error.line, problem, undefined, error);
  }
}

/** YAML 1.2 holds JSON, so that both get line numbers from one parser. */
async function parseYaml(file: string, text: string): Promise<Parsed> {
  const isJson = file.endsWith('.json');
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined)
    // Its words are about YAML, which nobody wrote who wrote JSON.
    throw invalid(
      file,
      counter.linePos(error.pos[0]).line,
      isJson ? 'it is not JSON from here on' : error.message,
      isJson ? 'Look for a missing comma, quote or bracket.' : undefined,
      error,
    );
  const { contents } = document;
  return {
    value: document.toJS({ maxAliasCount: 10 }) as unknown,
    lineOf: (key) => {
      if (!isMap(contents)) return null;
      const pair = contents.items.find((each) => isScalar(each.key) && each.key.value === key);
      const range = isScalar(pair?.key) ? pair.key.range : null;
      return range === null || range === undefined ? null : counter.linePos(range[0]).line;
    },
  };
}

const camelCase = (key: string): string =>
  key.replace(/[-_]([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Checks what was read. @throws AppError 'config-invalid' naming file, line where known, and key */
function check(file: string, parsed: Parsed): Config {
  if (parsed.value === null || parsed.value === undefined) return DEFAULT_CONFIG;
  if (typeof parsed.value !== 'object' || Array.isArray(parsed.value)) {
    throw invalid(file, null, 'it has to hold keys and values');
  }
  const typed = new Map(Object.keys(parsed.value).map((key) => [camelCase(key), key]));
  const result = Config.safeParse(
    Object.fromEntries(Object.entries(parsed.value).map(([key, value]) => [camelCase(key), value])),
  );
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const written = typed.get(key) ?? key;
    const known = Object.keys(Config.shape);
    const near = nearName(key, known);
    const hint = near === null ? `There are ${known.join(', ')}.` : `Did you mean ${near}?`;
    throw invalid(file, parsed.lineOf(written), `there is no setting "${written}"`, hint);
  }
  const key = String(issue?.path[0] ?? '');
  const written = typed.get(key) ?? key;
  const problem = issue === undefined ? `${written} is not valid.` : plainIssue(issue, written);
  throw invalid(file, parsed.lineOf(written), problem);
}

/** What was read, and where each value that is set stands. */
export interface ConfigFile {
  readonly config: Config;
  /** Null when there is none. */
  readonly file: string | null;
  /** 1-based lines of the values that the file sets, null where the line is not known. */
  readonly lines: ReadonlyMap<string, number | null>;
}

function linesOf(parsed: Parsed): ConfigFile['lines'] {
  const keys = typeof parsed.value === 'object' && parsed.value !== null ? Object.keys(parsed.value) : [];
  return new Map(keys.map((key) => [camelCase(key), parsed.lineOf(key)]));
}

/**
 * Reads the one configuration file of a folder; the defaults when there is none.
 *
 * @throws AppError 'config-invalid', also when there are two files; 'file-unreadable'
 */
export async function readConfigFile(folder: string): Promise<ConfigFile> {
  const files = CONFIG_NAMES.map((name) => path.join(folder, name)).filter((file) => existsSync(file));
  const [file, other] = files;
  if (file === undefined) return { config: DEFAULT_CONFIG, file: null, lines: new Map() };
  if (other !== undefined) {
    throw invalid(other, null, `there is ${path.basename(file)} as well`, 'Keep one of the two.');
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('file-unreadable', `${file} cannot be read.`, {
      hint: 'Make it readable for this user, or take it away to use the defaults.',
      cause: error,
    });
  }
  const parsed = file.endsWith('.toml') ? await parseToml(file, text) : await parseYaml(file, text);
  return { config: check(file, parsed), file, lines: linesOf(parsed) };
}

/** Its values alone. @throws as `readConfigFile` */
export const readConfig = async (folder: string): Promise<Config> => (await readConfigFile(folder)).config;
