/** Files whose change makes the set-up command run again, where the project names none (12-engine, Test runs). */
const LOCKFILES: readonly string[] = [
  'Cargo.lock',
  'Gemfile.lock',
  'Package.resolved',
  'Pipfile.lock',
  'bun.lock',
  'bun.lockb',
  'composer.lock',
  'deno.lock',
  'go.sum',
  'gradle.lockfile',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'pdm.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pubspec.lock',
  'requirements.txt',
  'requirements-dev.txt',
  'uv.lock',
  'yarn.lock',
];

/** @returns the lockfiles among these names of a repository's top folder, sorted */
export function lockfilesAmong(names: readonly string[]): readonly string[] {
  const there = new Set(names);
  return LOCKFILES.filter((name) => there.has(name)).toSorted();
}
