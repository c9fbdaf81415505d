import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/** The three dots at the end of a row. @param children `DropdownMenu.Item`s */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="btn quiet icon" aria-label={label}>
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu small-menu" align="end">
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
