import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('docs/dependencies.md names every package of package.json and no other', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
  const packages = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  expect([...named].sort()).toEqual([...packages].sort());
});

test('every version is exact', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('links between the documents lead to files that are there', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/security.md',
    'docs/quality.md',
  ];
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].flatMap((match) => {
      const target = path.join(path.dirname(document), match[1] ?? '');
      try {
        readFileSync(path.join(root, target));
        return [];
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EISDIR' ? [] : [`${document} → ${match[1]}`];
      }
    }),
  );
  expect(broken).toEqual([]);
});
