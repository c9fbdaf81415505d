/** The npm package that holds Node's program for a system. */
export declare function nodePackage(platform: NodeJS.Platform, arch: string): string;
