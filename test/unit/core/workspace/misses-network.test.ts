import { expect, test } from 'vitest';
import { missesNetwork } from '../../../../src-main/core/workspace/misses-network.ts';

test.each([
  ['npm', 'npm error code EAI_AGAIN\nnpm error request to https://packages.example/left failed'],
  ['npm, by name', 'npm error code ENOTFOUND'],
  ['yarn', 'Error: getaddrinfo EAI_AGAIN packages.example'],
  ['pip', "NewConnectionError('Failed to connect: [Errno -3] Temporary failure in name resolution')"],
  ['pip, elsewhere', '[Errno -2] Name or service not known'],
  ['pip on a Mac', '[Errno 8] nodename nor servname provided, or not known'],
  ['uv', 'Caused by: dns error\nfailed to lookup address information: Try again'],
  ['cargo', "[6] Couldn't resolve host name (Could not resolve host: crates.example)"],
  ['curl', 'curl: (6) Could not resolve host: files.example'],
  ['go', 'dial tcp: lookup modules.example on [::1]:53: read udp: connection refused'],
  ['maven', 'java.net.UnknownHostException: maven.example'],
  ['apt', "Temporary failure resolving 'packages.example'"],
  ['no way', 'connect ENETUNREACH 192.0.2.1:443'],
])('a set-up command that misses the network is known by its output: %s', (_tool, output) => {
  expect(missesNetwork(`first line\n${output}\nlast line\n`)).toBe(true);
});

test.each([
  'npm error The `npm ci` command can only install with an existing package-lock.json',
  'ModuleNotFoundError: No module named shop',
  'npm error code EACCES',
  'connect ECONNREFUSED 127.0.0.1:5432',
  '',
])('another failure is not taken for it: %s', (output) => {
  expect(missesNetwork(output)).toBe(false);
});
