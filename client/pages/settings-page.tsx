import type { Usage } from '../../server/contract.ts';
import { ShortcutsButton } from '../keyboard/shortcuts-button.tsx';
import { TokensSlot } from '../settings/api-tokens/tokens-slot.tsx';
import { useApiTokens } from '../settings/api-tokens/use-api-tokens.ts';
import { AppearanceBox } from '../settings/appearance-box.tsx';
import { Boxes } from '../settings/box.tsx';
import { DeletionBox } from '../settings/deletion-box.tsx';
import { PasswordBox } from '../settings/password-box.tsx';
import { ProfileBox } from '../settings/profile-box.tsx';
import { SessionsBox } from '../settings/sessions-box.tsx';
import { StorageBox } from '../settings/storage-box.tsx';
import { useMailSettings } from '../settings/use-mail-settings.ts';
import { useSessions } from '../settings/use-sessions.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { settings as texts } from '../text/words.ts';
import { PageHead } from '../ui/page-head.tsx';
import { roomOf } from '../usage/room.ts';
import { useUsage } from '../usage/use-usage.ts';

const percentOf = (usage: Usage): number | null => roomOf(usage)?.percent ?? null;

export default function SettingsPage() {
  const { usage, busy, reload } = useUsage();
  const sessions = useSessions();
  const tokens = useApiTokens();
  const mail = useMailSettings();
  const held = typeof usage === 'string' ? null : `${texts.storage.images(usage.images)} (${formatBytes(usage.bytes)})`;
  return (
    <>
      <PageHead title={texts.title} />
      <Boxes>
        <ProfileBox {...mail} />
        <StorageBox usage={usage} percentOf={percentOf} busy={busy} reload={reload} />
        <AppearanceBox>
          <ShortcutsButton />
        </AppearanceBox>
        <SessionsBox {...sessions} mail={mail} />
        <TokensSlot {...tokens} />
        <PasswordBox
          hasTokens={typeof tokens.tokens !== 'string' && tokens.tokens.length > 0}
          onChanged={() => {
            sessions.reload();
            tokens.reload();
          }}
        />
        <DeletionBox held={held} />
      </Boxes>
    </>
  );
}
