import { z } from 'zod';
import { linkAmong, parseLink, type Place } from './deep-links.ts';
import { HIDDEN } from './login-item.ts';

/** What another start of the application sends to the one that runs. Whoever can start us can send it. */
const SecondStart = z.object({ args: z.array(z.string().max(8192)).max(100) });

/** How the application was started and what it was asked to show, before and after it can show anything. */
export interface Starts {
  readonly isHidden: boolean;
  /** A link of macOS. */
  link(url: string): void;
  /** Another start, with its data. */
  second(data: unknown): void;
  /** From now on places go there, null for the window as it is; what came before goes first. */
  deliverTo(show: (place: Place | null) => void): void;
}

export function createStarts(args: readonly string[], platform: NodeJS.Platform): Starts {
  const waiting: (Place | null)[] = [];
  let deliver: ((place: Place | null) => void) | null = null;
  const show = (place: Place | null): void => {
    if (deliver === null) waiting.push(place);
    else deliver(place);
  };
  const ofArguments = (words: readonly string[]): Place | null => {
    const link = linkAmong(words, platform);
    return link === null ? null : parseLink(link);
  };
  const first = ofArguments(args);
  if (first !== null) show(first);

  return {
    isHidden: args.includes(HIDDEN),
    link: (url) => {
      const place = parseLink(url);
      if (place !== null) show(place);
    },
    second: (data) => {
      const start = SecondStart.safeParse(data);
      show(start.success ? ofArguments(start.data.args) : null);
    },
    deliverTo: (next) => {
      deliver = next;
      for (const place of waiting.splice(0)) next(place);
    },
  };
}
