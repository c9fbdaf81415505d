import { expect, test } from 'vitest';
import {
  agentEnvironment,
  cleanPath,
  commandEnvironment,
  OWN_FOLDER,
  toolEnvironment,
} from '../../../src-main/adapters/environment.ts';
import path from 'node:path';

/** Everything that a desktop, npm, an AppImage, Electron, Claude Code and an outer hub may put around us. */
const PARENT = {
  PATH: '/opt/signalbox/node_modules/.bin:/usr/local/bin:/usr/bin:.:rel/bin::/opt/signalbox',
  HOME: '/home/x',
  USER: 'x',
  LOGNAME: 'x',
  SHELL: '/bin/bash',
  TERM: 'xterm',
  TMPDIR: '/tmp/x',
  LANG: 'en_GB.UTF-8',
  LC_TIME: 'de_DE.UTF-8',
  TZ: 'Asia/Kolkata',
  HTTPS_PROXY: 'http://proxy:1',
  no_proxy: 'localhost',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSL_CERT_FILE: '/ca.pem',
  ANTHROPIC_API_KEY: 'key',
  CLAUDE_CONFIG_DIR: '/home/x/.claude2',
  CLAUDE_CODE_OAUTH_TOKEN: 'token',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_SSE_PORT: '1',
  CLAUDECODE: '1',
  DISABLE_TELEMETRY: '1',
  MCP_TIMEOUT: '1000',
  AWS_SECRET_ACCESS_KEY: 'secret',
  GITHUB_TOKEN: 'secret',
  DATABASE_URL: 'postgres://secret',
  SSH_AUTH_SOCK: '/run/ssh',
  XDG_RUNTIME_DIR: '/run/user/1000',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
  DISPLAY: ':0',
  npm_config_registry: 'https://example.test',
  NPM_TOKEN: 'secret',
  npm_lifecycle_event: 'start',
  INIT_CWD: '/somewhere',
  NODE_OPTIONS: '--require ./evil.js',
  NODE_PATH: '/evil',
  ELECTRON_RUN_AS_NODE: '1',
  APPIMAGE: '/x.AppImage',
  APPDIR: '/mnt/x',
  ARGV0: 'x',
  OWD: '/x',
  LD_PRELOAD: '/evil.so',
  GIT_DIR: '/evil',
  SIGNALBOX_OWNER: 'hub:outer',
  SIGNALBOX_HOME: '/home/x/signalbox',
  PROJECT_VARIABLE: 'wanted',
  UNDEFINED: undefined,
};
const OWN = '/opt/signalbox';

test('pin: the environment of an agent', () => {
  const extra = ['PROJECT_VARIABLE', 'NODE_OPTIONS', 'npm_config_registry', 'SIGNALBOX_HOME', 'ABSENT'];
  expect(agentEnvironment(PARENT, extra, 'linux', OWN)).toEqual({
    PATH: '/usr/local/bin:/usr/bin',
    HOME: '/home/x',
    USER: 'x',
    LOGNAME: 'x',
    SHELL: '/bin/bash',
    TERM: 'xterm',
    TMPDIR: '/tmp/x',
    LANG: 'en_GB.UTF-8',
    LC_TIME: 'de_DE.UTF-8',
    TZ: 'Asia/Kolkata',
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SSL_CERT_FILE: '/ca.pem',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CONFIG_DIR: '/home/x/.claude2',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    DISABLE_TELEMETRY: '1',
    MCP_TIMEOUT: '1000',
    PROJECT_VARIABLE: 'wanted',
  });
});

test('pin: the environment of a test command has nothing of the account, also when a project names it', () => {
  expect(commandEnvironment(PARENT, ['ANTHROPIC_API_KEY', 'PROJECT_VARIABLE'], 'linux', OWN)).toEqual({
    PATH: '/usr/local/bin:/usr/bin',
    HOME: '/home/x',
    USER: 'x',
    LOGNAME: 'x',
    SHELL: '/bin/bash',
    TERM: 'xterm',
    TMPDIR: '/tmp/x',
    LANG: 'en_GB.UTF-8',
    LC_TIME: 'de_DE.UTF-8',
    TZ: 'Asia/Kolkata',
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SSL_CERT_FILE: '/ca.pem',
    DISABLE_TELEMETRY: '1',
    MCP_TIMEOUT: '1000',
    PROJECT_VARIABLE: 'wanted',
  });
});

test('pin: the environment of git', () => {
  expect(toolEnvironment(PARENT, 'linux', OWN)).toEqual({
    PATH: '/usr/local/bin:/usr/bin',
    HOME: '/home/x',
    TMPDIR: '/tmp/x',
    TZ: 'Asia/Kolkata',
    LC_ALL: 'C',
  });
});

test('pin: names have no case on Windows, and keep their spelling', () => {
  const parent = {
    Path: 'C:\\Signalbox\\node_modules\\.bin;C:\\Windows;tools',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    AppData: 'C:\\Users\\x\\AppData',
    Claude_Config_Dir: 'C:\\c',
    Npm_Config_X: '1',
    Signalbox_Home: 'C:\\s',
    Wanted: '1',
    Other: '1',
  };
  expect(agentEnvironment(parent, ['WANTED'], 'win32', 'C:\\Signalbox')).toEqual({
    Path: 'C:\\Windows',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    AppData: 'C:\\Users\\x\\AppData',
    Claude_Config_Dir: 'C:\\c',
    Wanted: '1',
  });
  expect(commandEnvironment(parent, ['claude_config_dir'], 'win32', 'C:\\Signalbox')).not.toHaveProperty(
    'Claude_Config_Dir',
  );
  expect(toolEnvironment(parent, 'win32', 'C:\\Signalbox')).toEqual({
    Path: 'C:\\Windows',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    AppData: 'C:\\Users\\x\\AppData',
    LC_ALL: 'C',
  });
});

test('PATH keeps neighbours of our folder and drops what npm put in front', () => {
  const value = [
    '/p/node_modules/signalbox/node_modules/.bin',
    '/p/node_modules/.bin/',
    '/p/node_modules/signalbox/../signalbox/out',
    '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
    '/p/node_modules/signalbox-more/bin',
    '/p/..hidden',
    '/usr/bin',
  ].join(':');
  expect(cleanPath(value, 'linux', '/p/node_modules/signalbox')).toBe(
    '/p/node_modules/signalbox-more/bin:/p/..hidden:/usr/bin',
  );
  expect(cleanPath('', 'linux', '/p')).toBe('');
});

test('our own folder is the package', () => {
  expect(OWN_FOLDER).toBe(path.resolve(import.meta.dirname, '../../..'));
});
