import { home } from '../routes.ts';
import { emptyGallery as hints, gallery as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/page/empty.tsx';

/** The gallery without images: the search found none, or nothing has been uploaded. */
export function EmptyGallery({ searching, onShowAll }: { searching: boolean; onShowAll: () => void }) {
  return (
    <Empty text={texts.empty} hint={searching ? hints.searchHint : hints.hint}>
      {searching ? (
        <Button variant="line" onClick={onShowAll}>
          {hints.showAll}
        </Button>
      ) : (
        <ButtonLink variant="line" href={home}>
          {texts.upload}
        </ButtonLink>
      )}
    </Empty>
  );
}
