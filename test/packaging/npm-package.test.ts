import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { quietEnvironment } from '../support/claude-cli.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('serve of an installed npm package finds the window in it', async () => {
  const temp = makeTempFolder('npm-package');
  try {
    for (const name of ['home', 'run', 'data']) mkdirSync(temp.join(name));
    const env = {
      ...quietEnvironment(temp.join('home')),
      SIGNALBOX_HOME: temp.join('data'),
      XDG_RUNTIME_DIR: temp.join('run'),
      npm_config_cache: temp.join('cache'),
      npm_config_update_notifier: 'false',
    };
    // What `prepare` builds has been built before this suite.
    await execa('npm', ['pack', '--ignore-scripts', '--offline', '--pack-destination', temp.path], {
      cwd: root,
      env,
      extendEnv: false,
    });
    await execa('tar', ['-xzf', temp.join('signalbox-0.1.0.tgz'), '-C', temp.path]);
    const installed = temp.join('package');
    symlinkSync(path.join(root, 'node_modules'), path.join(installed, 'node_modules'));
    const served = execa(process.execPath, [path.join(installed, 'out/cli/signalbox.js'), 'serve'], {
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      cwd: temp.path,
    });
    try {
      let stdout = '';
      served.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      const origin = await waitUntil('it listens', () => /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0], {
        withinMs: 60_000,
      });
      const page = await fetch(`${origin}/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const [script = ''] = /\/assets\/[\w-]+\.js/.exec(await page.text()) ?? [];
      expect((await fetch(`${origin}${script}`)).headers.get('content-type')).toContain('javascript');
    } finally {
      served.kill('SIGINT');
    }
    const { exitCode, stderr } = await served;
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('not built')]);
  } finally {
    temp[Symbol.dispose]();
  }
});
