import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';
import { Icon, type GlyphName } from '../../components/Icon.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useTranslation } from 'react-i18next';

const GLYPHS: Readonly<Record<DoctorCheck['status'], readonly [GlyphName, string]>> = {
  ok: ['tick', 'c-ok'],
  warning: ['review', 'c-wait'],
  problem: ['cross', 'c-stop'],
};

/** What a check found: glyph, words, and what to do about it. */
export function CheckLine({ check }: { check: DoctorCheck }) {
  const { t } = useTranslation('settings');
  const [glyph, colour] = GLYPHS[check.status];
  return (
    <>
      <span className="row check-line">
        <span className={colour}>
          <Icon name={glyph} label={t(`check_${check.status}`)} />
        </span>
        <SafeLine text={check.found} most={500} />
      </span>
      {check.fix !== undefined && (
        <span className="small note fix">
          <SafeLine text={check.fix} most={500} />
        </span>
      )}
    </>
  );
}
