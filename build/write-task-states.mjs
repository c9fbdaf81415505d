// Writes docs/technical/task-states.md from the one transition table.
import { writeFile } from 'node:fs/promises';
import { taskStatesMarkdown } from '../src-main/core/relay/task-states.ts';

await writeFile('docs/technical/task-states.md', taskStatesMarkdown());
