import clsx from 'clsx';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface Props {
  readonly label: string;
  /** Beside buttons with an outline. */
  readonly isOutlined?: boolean;
  readonly children: ReactNode;
}

/** The three dots at the end of a row. @param children `DropdownMenu.Item`s */
export function Menu({ label, isOutlined, children }: Props) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={clsx('btn icon', isOutlined !== true && 'quiet')} aria-label={label}>
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
