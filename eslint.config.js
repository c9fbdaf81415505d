import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Clock, randomness and ids reach the rules through ports; the world is the adapters' business. */
const noAmbientWorld = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take a Clock.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take a Clock.' },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: 'Take Ids.' },
];

export default tseslint.config(
  { ignores: ['out/**', 'release/**', 'node_modules/**', '.cache/**', 'test/fixtures/recordings/**'] },
  {
    files: ['src-*/**/*.{ts,tsx}', 'test/**/*.ts', 'build/**/*.ts', 'vitest.config.ts'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './tsconfig.window.json', './tsconfig.e2e.json'] },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src-shared/**/*.ts', 'src-main/core/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noAmbientWorld] },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['vitest.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
