/** A number with its noun, for people's texts: `1 file`, `0 files`, `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
