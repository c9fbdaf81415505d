import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENT_FIELDS } from '../../../../src-shared/api/agent.ts';
import { isAppError } from '../../../../src-shared/errors.ts';
import {
  parseAgentChange,
  parseProjectChange,
  SETTING_KEYS,
} from '../../../../src-main/hosts/cli/setting-args.ts';

const problemOf = (
  work: () => unknown,
): { code: string; message: string; hint: string | undefined } | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
};

describe('project set', () => {
  test('takes every spelling of a key and the names of the flags of project add', () => {
    expect(
      parseProjectChange([
        'relay_output=json',
        'call-timeout-s=60',
        'maxQuestions=5',
        'budget=2.5',
        'max-call-usd=0.25',
        'test=["npm","test"]',
        'test_timeout=30',
        'name=shop',
        'slots=2',
        'base=develop',
      ]),
    ).toEqual({
      name: 'shop',
      slots: 2,
      base: 'develop',
      settings: {
        relayOutput: 'json',
        callTimeoutS: 60,
        maxQuestions: 5,
        budgetUsd: 2.5,
        perCallUsd: 0.25,
        testCommand: ['npm', 'test'],
        testTimeoutS: 30,
      },
      clear: [],
    });
  });

  test('clears a setting whose value is empty', () => {
    expect(parseProjectChange(['max-questions=', 'test='])).toEqual({
      settings: {},
      clear: ['maxQuestions', 'testCommand'],
    });
  });

  test('reads lists with commas or as JSON, switches by word, and "forever" for no limit', () => {
    const { settings } = parseProjectChange([
      'share=node_modules, .venv',
      'tools=["Bash"]',
      'allow_network=yes',
      'keep_transcripts_days=forever',
      'data_patterns={"policy":"POL-[0-9]+"}',
    ]);
    expect(settings).toEqual({
      share: ['node_modules', '.venv'],
      tools: ['Bash'],
      allowNetwork: true,
      keepTranscriptsDays: null,
      dataPatterns: { policy: 'POL-[0-9]+' },
    });
  });

  test.each([
    ['slotz=2', 'There is no setting "slotz".', 'Did you mean slots=?'],
    ['slots', '"slots" is not key=value.', 'For example slots=2; key= goes back to the default.'],
    ['=2', '"=2" is not key=value.', 'For example slots=2; key= goes back to the default.'],
    ['slots=many', 'slots takes a number.', 'For example slots=3.'],
    ['slots=', 'slots cannot be cleared.', 'Give it a value: slots=…'],
    ['merge=squash', 'merge takes one of merge, ff, none.', 'Did you mean merge=ff?'],
    [
      'test=npm test',
      'test takes a JSON list of program and arguments.',
      'For example test=\'["npm","test"]\'.',
    ],
    ['allow_network=maybe', 'allow_network takes true or false.', 'For example allow_network=true.'],
  ])('says what to type instead of %s', (pair, message, hint) => {
    const problem = problemOf(() => parseProjectChange([pair]));
    expect(problem).toMatchObject({ code: 'usage', message });
    if (!pair.startsWith('merge')) expect(problem?.hint).toBe(hint);
  });

  test('never throws anything but a usage error, whatever is typed', () => {
    const pair = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...SETTING_KEYS), fc.string()).map(([key, value]) => `${key}=${value}`),
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), (pairs) => {
        const problem = problemOf(() => parseProjectChange(pairs));
        expect(problem === null || problem.code === 'usage').toBe(true);
      }),
    );
  });
});

describe('agent set', () => {
  test('takes the fields of an agent, but not its name', () => {
    expect(parseAgentChange(['calls_per_day=0', 'model=opus', 'tests-under-account=on'])).toEqual({
      change: { callsPerDay: 0, model: 'opus', testsUnderAccount: true },
      clear: [],
    });
    expect(problemOf(() => parseAgentChange(['name=x']))).toMatchObject({ code: 'usage' });
  });

  test('without a value sends any field back to its default, as `project set` does', () => {
    expect(parseAgentChange(AGENT_FIELDS.map((field) => `${field}=`))).toEqual({
      change: {},
      clear: AGENT_FIELDS,
    });
    expect(parseAgentChange(['calls_per_day=', 'call-timeout=60'])).toEqual({
      change: { callTimeoutS: 60 },
      clear: ['callsPerDay'],
    });
  });
});
