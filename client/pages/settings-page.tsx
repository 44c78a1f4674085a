import { useSearch } from 'wouter';
import type { Usage } from '../../server/contract.ts';
import { ShortcutsButton } from '../keyboard/shortcuts-button.tsx';
import { signInOptionsQuery } from '../layout/sign-in-options.ts';
import { useQuery } from '../query/use-query.ts';
import { useApiTokens } from '../settings/api-tokens/use-api-tokens.ts';
import { AppearanceBox } from '../settings/appearance-box.tsx';
import { Boxes } from '../settings/box.tsx';
import { DeletionBox } from '../settings/deletion/deletion-box.tsx';
import { FactorsSlot, IdentitiesSlot, SessionsSlot, TokensSlot } from '../settings/lazy-boxes.tsx';
import { PasswordBox } from '../settings/password-box.tsx';
import { ProfileBox } from '../settings/profile-box.tsx';
import { useSessions } from '../settings/sessions/use-sessions.ts';
import { StorageBox } from '../settings/storage-box.tsx';
import { useMailSettings } from '../settings/use-mail-settings.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { settings as texts } from '../text/words.ts';
import { PageHead } from '../ui/page/page-head.tsx';
import { roomOf } from '../usage/room.ts';
import { useUsage } from '../usage/use-usage.ts';

const percentOf = (usage: Usage): number | null => roomOf(usage)?.percent ?? null;

function AllBoxes() {
  const { usage, busy, reload } = useUsage();
  const sessions = useSessions();
  const tokens = useApiTokens();
  const mail = useMailSettings();
  const { data: options } = useQuery(signInOptionsQuery, true);
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
        <SessionsSlot {...sessions} mail={mail} />
        <FactorsSlot mustSetUp={false} />
        <TokensSlot {...tokens} />
        <IdentitiesSlot />
        <PasswordBox
          options={options}
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

/** Without a second factor that the server requires, the account can only set one up (session/connect.ts). */
export default function SettingsPage() {
  if (!useSearch().startsWith('second-factor')) return <AllBoxes />;
  return (
    <>
      <PageHead title={texts.factors.title} />
      <Boxes>
        <FactorsSlot mustSetUp />
      </Boxes>
    </>
  );
}
