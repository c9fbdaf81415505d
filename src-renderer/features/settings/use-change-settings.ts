import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../src-shared/api/calls.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';

type Change = NonNullable<CallInput<'settings.change'>['change']>;

/** Stores preferences; what is shown follows at once. A refusal is said in words. */
export function useChangeSettings(): (change: Change, clear?: string[]) => void {
  const { t } = useTranslation('settings');
  const { say } = useToast();
  const client = useQueryClient();
  const action = useAction('settings.change');
  return (change, clear = []) =>
    action.mutate(
      { change, clear },
      {
        onSuccess: (view) => client.setQueryData(['settings.show', null], view),
        onError: (error) => say(t('notChanged', { message: error.message })),
      },
    );
}
