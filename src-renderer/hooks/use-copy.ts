import { useTranslation } from 'react-i18next';
import { useToast } from '../app/Toast.tsx';

/** Puts a text on the clipboard and says so; a browser that refuses is told of, with the text. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation('app');
  const { say } = useToast();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      say(t('copied', { text }));
    } catch {
      say(t('notCopied', { text }));
    }
  };
}
