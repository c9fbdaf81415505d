import { useEffect } from 'react';

interface StyleProps {
  readonly styles: string;
  /** False: another text takes the place of the first one. */
  readonly dynamic?: boolean;
}

/** Adds a text of CSS as long as somebody uses it, once however many do. */
export function stylesheetSingleton(): { add: (css: string) => void; remove: () => void } {
  let [users, sheet]: [number, CSSStyleSheet | null] = [0, null];
  return {
    add: (css) => {
      users += 1;
      if (sheet !== null) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove: () => {
      users -= 1;
      if (users > 0 || sheet === null) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      sheet = null;
    },
  };
}

export function styleHookSingleton(): (styles: string, isDynamic?: boolean) => void {
  const sheet = stylesheetSingleton();
  return (styles, isDynamic) => {
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
    }, [styles && isDynamic]);
  };
}

/**
 * The package of this name as the build resolves it for Radix dialogs: the same exports, but the sheet is adopted
 * instead of written as a `<style>` element, which `style-src 'self'` refuses.
 */
export function styleSingleton(): (props: StyleProps) => null {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles, dynamic }: StyleProps) {
    useStyle(styles, dynamic);
    return null;
  };
}
