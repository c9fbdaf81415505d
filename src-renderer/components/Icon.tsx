import clsx from 'clsx';
import type { ReactNode } from 'react';

/** Outlines on a grid of 16, drawn in the colour of the text: each kind and state can be told apart without colour. */
const GLYPHS = {
  running: (
    <>
      <path d="M4 2.5v11l9.5-5.5z" fill="currentColor" strokeLinejoin="round" />
    </>
  ),
  tick: (
    <>
      <path d="m3 8.4 3.4 3.4L13 4.8" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  kill: (
    <>
      <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" />
      <path d="M5 8h6" strokeWidth="2" />
    </>
  ),
  inbox: (
    <>
      <path d="M2 9.5 4 3h8l2 6.5V13H2z" />
      <path d="M2 9.5h3.5c.2 1.2 1.2 2 2.5 2s2.3-.8 2.5-2H14" />
    </>
  ),
  board: (
    <>
      <path d="M1.5 4h13M1.5 8h13M1.5 12h13" strokeWidth="1" />
      <path d="M3 4h4M8 8h5M4.5 12h3" strokeWidth="3.2" strokeLinecap="butt" />
    </>
  ),
  ledger: (
    <>
      <path d="M3.5 2h9v12h-9z" />
      <path d="M6 5h4M6 8h4M6 11h4" strokeWidth="1.3" />
    </>
  ),
  workflows: (
    <>
      <circle cx="3.5" cy="4" r="1.8" />
      <circle cx="12.5" cy="8" r="1.8" />
      <circle cx="3.5" cy="12" r="1.8" />
      <path d="M5.3 4H8c1.5 0 1 4 2.7 4M5.3 12H8c1.5 0 1-4 2.7-4" strokeWidth="1.3" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="1.8" />
      <circle cx="6" cy="11.5" r="1.8" />
    </>
  ),
  down: (
    <>
      <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
    </>
  ),
  testing: (
    <>
      <path d="M6 2v4.2L2.6 12a1.3 1.3 0 0 0 1.2 2h8.4a1.3 1.3 0 0 0 1.2-2L10 6.2V2M5 2h6M4.6 10h6.8" />
    </>
  ),
  waiting: (
    <>
      <path d="M8 1.5 14.5 8 8 14.5 1.5 8z" fill="currentColor" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  minus: (
    <>
      <path d="M3.5 8h9" />
    </>
  ),
  free: (
    <>
      <circle cx="8" cy="8" r="5.2" strokeDasharray="2.4 2" />
    </>
  ),
  grip: (
    <>
      <path d="M6 4v.05M10 4v.05M6 8v.05M10 8v.05M6 12v.05M10 12v.05" strokeWidth="1.9" />
    </>
  ),
  more: (
    <>
      <path d="M3.5 8v.05M8 8v.05M12.5 8v.05" strokeWidth="2.2" />
    </>
  ),
  parked: (
    <>
      <path d="M5.5 3v10M10.5 3v10" strokeWidth="2.2" />
    </>
  ),
  off: (
    <>
      <path d="M3 8h10" />
    </>
  ),
  permission: (
    <>
      <circle cx="5" cy="11" r="2.8" />
      <path d="m7 9 6.5-6.5M11 5l2 2M9.2 6.8l1.4 1.4" />
    </>
  ),
  manual: (
    <>
      <path d="M13.6 4.2 11.4 6.4 9.6 4.6l2.2-2.2a3.6 3.6 0 0 0-4.6 4.6L2.4 11.8a1.3 1.3 0 0 0 1.8 1.8L9 8.8a3.6 3.6 0 0 0 4.6-4.6z" />
    </>
  ),
  review: (
    <>
      <path d="M8 2.2 14.5 13.5h-13z" />
      <path d="M8 6.4v3.2M8 11.6v.05" strokeWidth="1.6" />
    </>
  ),
  question: (
    <>
      <path d="M2 3.2A1.2 1.2 0 0 1 3.2 2h9.6A1.2 1.2 0 0 1 14 3.2v6.6a1.2 1.2 0 0 1-1.2 1.2H7.5L4.5 14v-3H3.2A1.2 1.2 0 0 1 2 9.8z" />
      <path d="M6.5 5.2c.1-.8.8-1.2 1.5-1.2s1.5.5 1.5 1.3c0 1-1.4 1.1-1.4 1.9" strokeWidth="1.3" />
      <path d="M8.1 8.9v.05" strokeWidth="1.6" />
    </>
  ),
  approval: (
    <>
      <path d="M3 2.8c0-.5.3-.8.8-.8h5.4L13 5.6v7.6c0 .5-.3.8-.8.8H3.8c-.5 0-.8-.3-.8-.8z" />
      <path d="m5.4 9 1.8 1.9L10.6 7" />
    </>
  ),
  gate: (
    <>
      <path d="M3 14V4.5M1.5 14h3" />
      <path d="M3 5.2h11.5v3H3M7 5.2l-1 3M11 5.2l-1 3" strokeWidth="1.3" />
    </>
  ),
  file: (
    <>
      <path d="M3.5 2h6L12.5 5v9h-9z" />
    </>
  ),
  killed: (
    <>
      <path
        d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM4.6 7v2h6.8V7z"
        fill="currentColor"
        fillRule="evenodd"
        strokeWidth=".5"
      />
    </>
  ),
  cross: (
    <>
      <path d="m3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.200" r="2.700" />
      <path d="M2.800 14c.4-3 2.400-4.600 5.200-4.600s4.800 1.600 5.200 4.600" />
    </>
  ),
  envelope: (
    <>
      <path d="M2 6.500 8 2.500l6 4V14H2z" />
      <path d="M5 8.500h6M5 11h6" strokeWidth="1.300" />
    </>
  ),
  book: (
    <>
      <path d="M8 4c-1.5-1-3.5-1.2-6-1v9.5c2.500-.2 4.500 0 6 1 1.500-1 3.500-1.200 6-1V3c-2.500-.2-4.500 0-6 1zM8 4v9.500" />
    </>
  ),
  pencil: (
    <>
      <path d="m3 10.200-.6 3.400 3.400-.6L13.500 5.300l-2.800-2.800z" />
    </>
  ),
  folder: (
    <>
      <path d="M2 4h4l1.500 1.500H14V13H2z" />
    </>
  ),
  right: (
    <>
      <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />
    </>
  ),
  offline: (
    <>
      <path d="M5 2v3M11 2v3M3.500 5h9v2.500a4.500 4.500 0 0 1-9 0zM8 12v2.500" />
      <path d="M2 2l12 12" />
    </>
  ),
  chain: (
    <>
      <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 1 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 1 0 7 12.7l.8-.8" />
    </>
  ),
  export: (
    <>
      <path d="M8 2v7M5 6.500 8 9.500l3-3M2.500 11v3h11v-3" />
    </>
  ),
  hold: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.4 1.6" />
    </>
  ),
} satisfies Record<string, ReactNode>;
export type GlyphName = keyof typeof GLYPHS;

/** Beside a word that says the same; a glyph that stands alone gets its word as `label`. */
export function Icon({ name, isSmall, label }: { name: GlyphName; isSmall?: boolean; label?: string }) {
  return (
    <svg
      className={clsx('i', isSmall === true && 's')}
      viewBox="0 0 16 16"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {GLYPHS[name]}
    </svg>
  );
}
