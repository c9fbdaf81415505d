import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAppError } from '../../../src-shared/errors.ts';
import { CONFIG_NAMES, DEFAULT_CONFIG, readConfig } from '../../../src-main/adapters/config-file.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

async function read(files: Readonly<Record<string, string>>): Promise<unknown> {
  using folder = makeTempFolder('config');
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.join(name), text);
  try {
    return await readConfig(folder.path);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return `${error.code} ${error.message.replaceAll(`${folder.path}/`, '')} ${error.hint ?? ''}`;
  }
}

describe('the configuration file', () => {
  test('may be absent or empty', async () => {
    expect(await read({})).toEqual(DEFAULT_CONFIG);
    expect(await read({ 'config.yaml': '# nothing yet\n' })).toEqual(DEFAULT_CONFIG);
    expect(DEFAULT_CONFIG).toEqual({ maxProcesses: 4, undoSeconds: 5 });
  });

  test.each([
    ['config.toml', 'max_processes = 2\nundoSeconds = 0\nclaude = "/opt/claude"\n'],
    ['config.yaml', 'max_processes: 2\nundoSeconds: 0\nclaude: /opt/claude\n'],
    ['config.yml', 'max-processes: 2\nundo_seconds: 0\nclaude: /opt/claude\n'],
    ['config.json', '{"maxProcesses": 2, "undoSeconds": 0, "claude": "/opt/claude"}'],
  ])('may be %s', async (name, text) => {
    expect(await read({ [name]: text })).toEqual({ maxProcesses: 2, undoSeconds: 0, claude: '/opt/claude' });
  });

  test.each([
    [
      'config.toml',
      '# a\nmax_processes = 0\n',
      'config-invalid config.toml:2: max_processes has to be at least 1.',
    ],
    [
      'config.yaml',
      'undoSeconds: 3\nmaxProcesses: many\n',
      'config-invalid config.yaml:2: maxProcesses has to be a number.',
    ],
    [
      'config.json',
      '{\n"undoSeconds": 31}',
      'config-invalid config.json:2: undoSeconds has to be at most 30.',
    ],
    [
      'config.toml',
      '\nmaxProces = 3\n',
      'config-invalid config.toml:2: there is no setting "maxProces". Did you mean maxProcesses?',
    ],
    [
      'config.toml',
      '\ncolour = 1\n',
      'config-invalid config.toml:2: there is no setting "colour". There are maxProcesses, undoSeconds, claude.',
    ],
    [
      'config.json',
      '{\n"undoSeconds": [',
      'config-invalid config.json:2: it is not JSON from here on. Look for',
    ],
    ['config.toml', 'a = 1\nb = = 2\n', 'config-invalid config.toml:2:'],
    ['config.yaml', 'a: 1\n  b: [\n', 'config-invalid config.yaml:'],
    ['config.yaml', '- 1\n', 'config-invalid config.yaml: it has to hold keys and values'],
  ])('names file and line of what is wrong in %s', async (name, text, problem) => {
    expect(await read({ [name]: text })).toContain(problem);
  });

  test('is one, not two', async () => {
    expect(await read({ 'config.toml': '', 'config.json': '{}' })).toContain(
      'config-invalid config.json: there is config.toml as well',
    );
  });

  test('has to be readable', async () => {
    using folder = makeTempFolder('config');
    mkdirSync(folder.join('config.toml'));
    await expect(readConfig(folder.path)).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('gives a configuration or a config-invalid error, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CONFIG_NAMES),
        fc.string({ unit: 'binary' }),
        async (name, text) => {
          const result = await read({ [name]: text });
          if (typeof result === 'string') expect(result).toMatch(/^config-invalid /);
        },
      ),
      { numRuns: 200 },
    );
  });
});
