import { useEffect } from 'react';

interface StyleProps {
  readonly styles: string;
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

export function styleHookSingleton(): (styles: string) => void {
  const sheet = stylesheetSingleton();
  return (styles) => {
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
    }, [styles]);
  };
}

/**
 * The package of this name as the build resolves it for Radix dialogs: the same exports, but the sheet is adopted
 * instead of written as a `<style>` element, which `style-src 'self'` refuses.
 */
export function styleSingleton(): (props: StyleProps) => null {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles }: StyleProps) {
    useStyle(styles);
    return null;
  };
}
