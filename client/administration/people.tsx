import { type FormEvent, Suspense, useState } from 'react';
import type { AdminAccount } from '../../server/contract.ts';
import { type AccountState, approveAccount } from '../api/administration.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useQuery } from '../query/use-query.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Select } from '../ui/fields/select.tsx';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { accountsQuery } from './queries.ts';
import { run } from './run.ts';

const AccountDialog = lazyPart(async () => ({ default: (await import('./account-dialog.tsx')).AccountDialog }));

const states: readonly AccountState[] = ['all', 'pending', 'disabled', 'admin'];

function Marks({ account }: { account: AdminAccount }) {
  const { people } = texts;
  return (
    <>
      {account.role === 'admin' ? <strong className={styles.mark}>{people.admin}</strong> : null}
      {account.pending_since === null ? null : <strong className={styles.alarm}>{people.pending}</strong>}
      {account.disabled_at === null ? null : <strong className={styles.alarm}>{people.disabled}</strong>}
    </>
  );
}

function Row({ account, onOpen }: { account: AdminAccount; onOpen: () => void }) {
  const { people, overview } = texts;
  const [busy, start] = useBusy();
  const approve = async (): Promise<void> =>
    void (await run(async () => {
      await approveAccount(account.id);
      return people.approved(account.username);
    }));
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p>
          <b>
            <bdi>{account.username}</bdi>
          </b>{' '}
          <bdi className={styles.quiet}>{account.email}</bdi>
        </p>
        <p className={styles.note}>
          <Marks account={account} />
          <span>{`${overview.count(account.images)} · ${formatBytes(account.bytes)}`}</span>
          <span>{account.seen_at === null ? people.notSeen : people.seen(formatMoment(account.seen_at))}</span>
        </p>
      </div>
      <div className={styles.actions}>
        {account.pending_since === null ? null : (
          <Button
            variant="line"
            busy={busy}
            aria-label={people.approveNamed(account.username)}
            onClick={() => void start(approve)}
          >
            {people.approve}
          </Button>
        )}
        <Button variant="ghost" aria-label={people.manageNamed(account.username)} onClick={onOpen}>
          {people.manage}
        </Button>
      </div>
    </li>
  );
}

interface Filter {
  search: string;
  state: AccountState;
  page: number;
}

function Filters({ search, state, onFilter }: Omit<Filter, 'page'> & { onFilter: (filter: Filter) => void }) {
  const { people } = texts;
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onFilter({ search: formText(new FormData(event.currentTarget), 'search').trim(), state, page: 1 });
  };
  return (
    <form className={styles.filters} onSubmit={find}>
      <Field
        label={people.search}
        type="search"
        name="search"
        height="small"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={200}
      />
      <Select
        label={people.show}
        height="small"
        value={state}
        onChange={({ target }) => onFilter({ search, state: target.value as AccountState, page: 1 })}
      >
        {states.map((name) => (
          <option key={name} value={name}>
            {people.states[name]}
          </option>
        ))}
      </Select>
      <Button type="submit" variant="line">
        {people.find}
      </Button>
    </form>
  );
}

/** All accounts: found by name, shown by state, changed in a dialog. */
export function People() {
  const { people } = texts;
  const [{ search, state, page }, setFilter] = useState<Filter>({ search: '', state: 'all', page: 1 });
  const [openId, setOpenId] = useState<string>();
  const query = accountsQuery({ search, state, page });
  const last = Math.max(1, useQuery(query).data?.totalPages ?? page);
  // The last account of the last page was deleted, or is no longer in the filter.
  if (page > last) setFilter({ search, state, page: last });
  return (
    <>
      <Filters search={search} state={state} onFilter={setFilter} />
      <Loaded query={query}>
        {({ accounts, total, totalPages }) => {
          const opened = accounts.find(({ id }) => id === openId);
          return (
            <>
              <p className={styles.quiet} role="status">
                {total === 0 ? people.none : people.total(total)}
              </p>
              <ul className={styles.list}>
                {accounts.map((account) => (
                  <Row key={account.id} account={account} onOpen={() => setOpenId(account.id)} />
                ))}
              </ul>
              {totalPages > 1 ? (
                <div className={styles.pager}>
                  <Button
                    variant="line"
                    disabled={page <= 1}
                    onClick={() => setFilter({ search, state, page: page - 1 })}
                  >
                    {texts.newer}
                  </Button>
                  <span className="num">{texts.page(page, totalPages)}</span>
                  <Button
                    variant="line"
                    disabled={page >= totalPages}
                    onClick={() => setFilter({ search, state, page: page + 1 })}
                  >
                    {texts.older}
                  </Button>
                </div>
              ) : null}
              <Suspense>
                {opened === undefined ? null : <AccountDialog account={opened} onClose={() => setOpenId(undefined)} />}
              </Suspense>
            </>
          );
        }}
      </Loaded>
    </>
  );
}
