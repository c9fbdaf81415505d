import { asText } from './read-json.ts';
import type { JsonObject } from './read-json.ts';

/** The file or folder that a tool call names: `file_path` of Read, Edit and Write, `path` of Glob and Grep. */
export const pathOfInput = (input: JsonObject | null): string | null =>
  asText(input?.['file_path']) ?? asText(input?.['notebook_path']) ?? asText(input?.['path']);
