/** What a permission request shows of its input: the command alone, else everything as JSON. */
export interface PermissionInput {
  readonly command: string | null;
  /** The agent's own words on why. */
  readonly reason: string | null;
  readonly json: string;
}

const textIn = (input: unknown, name: string): string | null => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : null;
  return typeof value === 'string' ? value : null;
};

export function permissionInput(input: unknown): PermissionInput {
  return {
    command: textIn(input, 'command'),
    reason: textIn(input, 'description'),
    json: JSON.stringify(input ?? null, null, 2),
  };
}

const MOST_PROGRAMS = 4;

/**
 * Programs that a shell line begins its parts with, to say the act in a few words. A guess that helps reading; what
 * runs is the exact line below it.
 */
export function programsOf(command: string): readonly string[] {
  const parts = command.replace(/\\\n/g, ' ').split(/&&|\|\||[;|\n]/);
  const names = parts.flatMap((part) => {
    const words = part.trim().split(/\s+/);
    // Assignments stand before the program.
    const at = words.findIndex((word) => !/^\w+=/.test(word));
    const [program = '', next = ''] = at === -1 ? [] : words.slice(at, at + 2);
    if (program === '') return [];
    return [/^[a-z][a-z-]*$/.test(next) ? `${program} ${next}` : program];
  });
  return [...new Set(names)].slice(0, MOST_PROGRAMS);
}
