import { describe, expect, test } from 'vitest';
import { createOutput } from '../../../../src-main/hosts/cli/output.ts';

function capture(json: boolean, env: Record<string, string> = {}, isTTY = true) {
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, out: createOutput({ json, stdout: sink('stdout'), stderr: sink('stderr'), env }) };
}

describe('output', () => {
  test('with --json is one JSON value on stdout, and words for people go to stderr', () => {
    const { out, written } = capture(true);
    out.note('Reading.');
    out.value({ a: 1 }, () => 'one');
    expect(written).toEqual({ stdout: '{"a":1}\n', stderr: 'Reading.\n' });
  });

  test('without --json is the text alone', () => {
    const { out, written } = capture(false);
    out.value({ a: 1 }, () => 'one');
    expect(written).toEqual({ stdout: 'one\n', stderr: '' });
  });

  test('prints an error as one visible line, and as an object with --json', () => {
    const { out, written } = capture(true);
    out.error({ code: 'usage', message: 'No "\u001b[2J\nx".', hint: 'Type y.' });
    expect(written.stderr).toBe('signalbox: No "␛[2J␊x". Type y.\n');
    expect(JSON.parse(written.stdout)).toEqual({
      error: { code: 'usage', message: 'No "\u001b[2J\nx".', hint: 'Type y.' },
    });
  });

  test('has no styles with NO_COLOR, in a dumb terminal, in a file, or with --json', () => {
    expect(capture(false).out.strong('x')).not.toBe('x');
    expect(capture(false, { NO_COLOR: '1' }).out.strong('x')).toBe('x');
    expect(capture(false, { TERM: 'dumb' }).out.strong('x')).toBe('x');
    expect(capture(false, {}, false).out.strong('x')).toBe('x');
    expect(capture(true).out.strong('x')).toBe('x');
  });
});
