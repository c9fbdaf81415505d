/**
 * The arrows of docs/architecture.md as a check: hosts → hub → api, adapters, store → core → src-shared.
 */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid('shared-stands-alone', { path: '^src-shared/' }, { path: '^src-(main|renderer)/' }),
    forbid('renderer-sees-only-shared', { path: '^src-renderer/' }, { path: '^src-main/' }),
    forbid(
      'core-sees-only-shared',
      { path: '^src-main/core/' },
      { path: '^src-main/', pathNot: '^src-main/core/' },
    ),
    forbid(
      'rules-do-no-io',
      { path: '^(src-shared|src-renderer|src-main/core)/' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'electron-only-in-its-host',
      { path: '^src-', pathNot: '^src-main/hosts/electron/' },
      {
        path: ['(^|/)node_modules/electron/', '^electron(/|$)'],
      },
    ),
    forbid('sql-only-in-store', { path: '^src-', pathNot: '^src-main/store/' }, { path: 'better-sqlite3' }),
    forbid(
      'spawn-only-in-process',
      {
        path: '^src-',
        pathNot: '^src-main/(adapters/process/|hosts/cli/(signalbox|demo/scripted-forks)\\.ts)',
      },
      {
        path: '^(node:)?child_process$|node_modules/execa/',
      },
    ),
    forbid(
      'hosts-do-not-meet',
      // `signalbox serve` is a command that starts another host, by its one entry.
      { path: '^src-main/hosts/([^/]+)/', pathNot: '^src-main/hosts/cli/serve-command\\.ts$' },
      {
        path: '^src-main/hosts/',
        pathNot: '^src-main/hosts/$1/',
      },
    ),
    forbid(
      'serve-starts-the-web-host',
      { path: '^src-main/hosts/cli/serve-command\\.ts$' },
      { path: '^src-main/hosts/', pathNot: '^src-main/hosts/(cli/|web/serve\\.ts$)' },
    ),
    forbid(
      'inner-does-not-see-hosts',
      { path: '^src-main/(store|adapters|api|hub)/' },
      { path: '^src-main/hosts/' },
    ),
    forbid('inner-does-not-see-hub', { path: '^src-main/(store|adapters|api)/' }, { path: '^src-main/hub/' }),
    forbid('no-test-code-in-product', { path: '^src-' }, { path: '^test/' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
