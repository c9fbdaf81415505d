import { z } from 'zod';
import { CommandLine } from '../model/project.ts';

const AbsolutePath = z.string().min(1).max(4096);

/** `files.folders`: the person's home folder when no path is given. */
export const FoldersInput = z.object({ path: AbsolutePath.optional() }).default({});
/** Folders in a folder, for choosing one; hidden ones are left out, and no file is named. */
export const FoldersView = z.object({
  path: z.string(),
  /** Null at the top. */
  parent: z.string().nullable(),
  home: z.string(),
  isRepository: z.boolean(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), isRepository: z.boolean() })),
  /** Whether there are more than are listed. */
  isCut: z.boolean(),
});
export type FoldersView = z.infer<typeof FoldersView>;

export const InspectProjectInput = z.object({ path: AbsolutePath });
const Suggestion = z.object({
  command: CommandLine,
  /** The file that suggests it. */
  source: z.string(),
});
/** `project.inspect`: what `project add` would find. Never fails because of the folder: that is a problem in it. */
export const InspectProjectView = z.object({
  path: z.string(),
  /** What keeps it from becoming a project, with what to do about it. */
  problem: z.object({ code: z.string(), message: z.string(), fix: z.string().nullable() }).nullable(),
  repository: z
    .object({
      root: z.string(),
      name: z.string(),
      baseBranch: z.string(),
      branches: z.array(z.string()),
      commits: z.number().int(),
      /** Null when it could not be told. */
      isClean: z.boolean().nullable(),
      changedFiles: z.number().int().nullable(),
      notices: z.array(z.string()),
      /** Name of the project that has it already. */
      registeredAs: z.string().nullable(),
    })
    .nullable(),
  /** Likeliest first. */
  testCommands: z.array(Suggestion),
  setupCommands: z.array(Suggestion),
});
export type InspectProjectView = z.infer<typeof InspectProjectView>;
