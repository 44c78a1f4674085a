import t from 'tap';
import { formatAddress, parseAddress } from './address.ts';

t.test('the address holds the page and the search', async (t) => {
  t.same(parseAddress('?page=2&search=cat'), { page: 2, search: 'cat' });
  t.equal(formatAddress({ page: 2, search: 'cat' }), '?page=2&search=cat');
  const odd = { page: 3, search: '50% & +قطة' };
  t.same(parseAddress(formatAddress(odd)), odd);
});

t.test('the address holds how many images before the page were deleted', async (t) => {
  t.equal(formatAddress({ page: 2, search: '', deleted: 5 }), '?page=2&deleted=5');
  t.same(parseAddress('?page=2&deleted=5'), { page: 2, search: '', deleted: 5 });
  t.same(parseAddress('?page=2&deleted=x'), { page: 2, search: '' });
  t.equal(formatAddress({ page: 1, search: '', deleted: 0 }), '');
});

t.test('the address leaves out default values', async (t) => {
  t.equal(formatAddress({ page: 1, search: '' }), '');
  t.same(parseAddress(''), { page: 1, search: '' });
});

t.test('an invalid page number means page 1', async (t) => {
  for (const page of ['0', '-1', '1.5', 'x', '', '99999999999', '01']) {
    t.equal(parseAddress(`?page=${page}`).page, 1, page);
  }
});

t.test('the address holds any order except newest first', async (t) => {
  for (const sort of ['date-asc', 'name-asc', 'name-desc', 'size-desc', 'size-asc'] as const) {
    const [by, order] = sort.split('-');
    const query = formatAddress({ page: 1, search: 'x', sort });
    t.equal(query, `?search=x&sort=${by}&order=${order}`);
    t.same(parseAddress(query), { page: 1, search: 'x', sort });
  }
  for (const query of [
    '?sort=date&order=desc',
    '?sort=name',
    '?order=asc',
    '?sort=colour&order=asc',
    '?sort=&order=',
  ]) {
    t.same(parseAddress(query), { page: 1, search: '' }, query);
  }
});
