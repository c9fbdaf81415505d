import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';

test.runIf(process.platform !== 'win32')(
  'completion works in a bash without the package for it, also when its script is read twice',
  async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    const { stdout: script } = await world.run(['completion', 'bash']);
    const file = path.join(world.folder, 'completion.bash');
    await writeFile(file, script);
    const asked = `
      signalbox() { "$NODE" "$BIN" "$@"; }
      source "$SCRIPT"; source "$SCRIPT"
      COMP_WORDS=(signalbox proj); COMP_CWORD=1; COMP_LINE='signalbox proj'; COMP_POINT=14
      compopt() { :; }
      __signalbox_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, exitCode } = await execa('bash', ['--norc', '-c', asked], {
      env: { ...world.environment, NODE: process.execPath, BIN: SIGNALBOX, SCRIPT: file },
      extendEnv: false,
      reject: false,
    });
    expect([exitCode, stdout.split('\n'), stderr]).toEqual([0, ['project'], '']);
  },
);

test.runIf(process.platform !== 'win32').each([
  ['a command', `task show "$(touch MARK)" --j`],
  ['a redirection', 'task list > MARK --pro'],
  ['backticks', 'task show `touch MARK` --j'],
  ['an empty last word', 'task show $(touch MARK) '],
  ['another command', 'task list ; touch MARK ; --j'],
])('completion runs nothing of a line with %s, and writes nothing', async (_what, typed) => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  const { stdout: script } = await world.run(['completion', 'bash']);
  const file = path.join(world.folder, 'completion.bash');
  await writeFile(file, script);
  const words = `signalbox ${typed}`.replace('MARK', path.join(world.folder, 'mark')).split(' ');
  const asked = `
    signalbox() { "$NODE" "$BIN" "$@"; }
    source "$SCRIPT"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
    compopt() { :; }
    __signalbox_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stderr, exitCode } = await execa('bash', ['--norc', '-c', asked, 'bash', ...words], {
    env: { ...world.environment, NODE: process.execPath, BIN: SIGNALBOX, SCRIPT: file },
    extendEnv: false,
    reject: false,
    cwd: world.folder,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(await readdir(world.folder)).not.toContain('mark');
});
