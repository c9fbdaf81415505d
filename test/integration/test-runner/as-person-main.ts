/** Run by `account.test.ts` as an ordinary user whom sudo lets act as the agent account: prints what happened. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { seconds } from '../../../src-shared/time.ts';
import { makeRunnerWorld } from './runner-world.ts';

const agent = process.argv[2] ?? '';
const self = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();

await using world = await makeRunnerWorld({ env: () => ({ WORD: "it's" }) });
const { runner, tree } = world;
const account = { account: agent, environmentNames: ['WORD'] };
const script = [
  'id -un; echo "quoted: $WORD"',
  'mkdir -m 700 made; echo x > made/file; chmod 600 made/file; ln -s /etc/passwd made/link',
  `cat ${world.data}/signalbox.db 2>/dev/null || echo hidden`,
];
const outcome = await world.sh(script.join('; '), account);
const ran =
  outcome.kind === 'exited'
    ? {
        kind: outcome.kind,
        exitCode: outcome.exitCode,
        confinement: outcome.confinement,
        tail: outcome.tail,
      }
    : outcome;
const owners = readdirSync(tree, { recursive: true, encoding: 'utf8' }).map(
  (name) => lstatSync(path.join(tree, name)).uid,
);
const acl = execFileSync('getfacl', ['-R', '-P', '-n', '-p', tree, path.dirname(tree)], { encoding: 'utf8' });
const timedOut = await world.sh('trap "" TERM; setsid sleep 600 & sleep 600', {
  ...account,
  timeout: seconds(1),
});
const result = {
  check: await runner.checkAccount(agent),
  checkSelf: (await runner.checkAccount(self)) !== null,
  checkForbidden: (await runner.checkAccount('daemon')) !== null,
  ran,
  owners: [...new Set(owners)],
  madeFile: readFileSync(path.join(tree, 'made/file'), 'utf8'),
  madeLink: readlinkSync(path.join(tree, 'made/link')),
  acls: acl.split('\n').filter((line) => /^(default:)?user:\d/.test(line)),
  timedOut: timedOut.kind,
  leftovers: await runner.reapAccount(agent),
};
process.stdout.write(JSON.stringify(result));
