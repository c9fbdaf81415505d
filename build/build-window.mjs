// Builds the window to out/renderer, or to the folder after `--out`. `--watch` builds again after each change.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const isQuiet = process.argv.includes('--quiet');
const outAt = process.argv.indexOf('--out');
const outDir = path.resolve(root, outAt === -1 ? 'out/renderer' : process.argv[outAt + 1]);

// Also below a test runner, which says otherwise: React's development build is larger and slower.
process.env.NODE_ENV = 'production';

await build({
  root: path.join(root, 'src-renderer'),
  configFile: false,
  mode: 'production',
  logLevel: isQuiet ? 'warn' : 'info',
  plugins: [react()],
  resolve: {
    alias: {
      // A dialog's scroll lock writes a <style>, which the content security policy refuses: ours adopts a sheet.
      'react-style-singleton': path.join(root, 'src-renderer/styles/style-singleton.ts'),
    },
  },
  // Relative, so that the same files work below http://127.0.0.1 and app://bundle.
  base: './',
  build: {
    outDir,
    emptyOutDir: true,
    target: 'chrome150',
    minify: true,
    sourcemap: true,
    // An inlined picture or font would be a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    watch: process.argv.includes('--watch') ? {} : null,
  },
});
