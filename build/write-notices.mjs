// Writes out/THIRD-PARTY-NOTICES.txt: every package in the product with the text of its licence.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticesText, shippedPackages } from './notices.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/node/package.json'), 'utf8'));
const text = noticesText(shippedPackages(root), {
  // The npm package `node` holds the program alone.
  [`Node.js ${version}`]: readFileSync(path.join(root, 'build/licences/node.txt'), 'utf8'),
  'terminal-notifier (in node-notifier, macOS)': readFileSync(
    path.join(root, 'node_modules/node-notifier/vendor/terminal-notifier-LICENSE'),
    'utf8',
  ),
});
mkdirSync(path.join(root, 'out'), { recursive: true });
writeFileSync(path.join(root, 'out/THIRD-PARTY-NOTICES.txt'), text);
