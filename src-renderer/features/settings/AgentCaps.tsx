import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-shared/api/settings.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { capValue } from './caps.ts';
import { useCapText } from './use-cap-text.ts';
import { ValueEditor } from './ValueEditor.tsx';

const FIELDS = ['callsPerDay', 'callTimeoutS'] as const;

/** What each agent may do over all projects. */
export function AgentCaps({ agents }: { agents: PolicyView['agents'] }) {
  const { t } = useTranslation('settings');
  const capText = useCapText();
  const { say } = useToast();
  const change = useAction('agent.change');
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <table aria-label={t('agents')} className="caps">
      <thead>
        <tr>
          <th>{t('head_agent')}</th>
          <th>{t('head_cap')}</th>
          <th className="num">{t('head_value')}</th>
          <th>
            <span className="vh">{t('head_action')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.flatMap((agent) =>
          FIELDS.map((field) => {
            const key = `${agent.name} ${field}`;
            return (
              <tr key={key}>
                <td>
                  <SafeLine text={agent.displayName} most={100} />
                </td>
                <td>{t(`cap_${field}`)}</td>
                {editing === key ? (
                  <td colSpan={2}>
                    <ValueEditor
                      name={t('capOf', { cap: t(`unit_${field}`), name: agent.displayName })}
                      value={agent[field]}
                      read={(typed) => capValue(field, typed)}
                      isPending={change.isPending}
                      onSave={(value) =>
                        change.mutate(
                          { name: agent.name, change: { [field]: value } },
                          {
                            onSuccess: () => setEditing(null),
                            onError: (error) => say(t('notChanged', { message: error.message })),
                          },
                        )
                      }
                      onClose={() => setEditing(null)}
                    />
                  </td>
                ) : (
                  <>
                    <td className="num strong">{capText({ name: field, value: agent[field] })}</td>
                    <td className="num">
                      <button
                        type="button"
                        className="link"
                        aria-label={t('changeOf', { what: t(`cap_${field}`), name: agent.displayName })}
                        onClick={() => setEditing(key)}
                      >
                        {t('change')}
                      </button>
                    </td>
                  </>
                )}
              </tr>
            );
          }),
        )}
      </tbody>
    </table>
  );
}
