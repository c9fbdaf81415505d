/** The shape of a language: the same keys, any words. */
export type Words<Shape> = {
  readonly [Key in keyof Shape]: Shape[Key] extends string ? string : Words<Shape[Key]>;
};
