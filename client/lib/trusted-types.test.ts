import t from 'tap';
import { isInertMarkup } from './trusted-types.ts';

t.test('markup of plain elements is inert', async (t) => {
  for (const text of [
    '',
    'Are you sure?',
    '2 > 1 &amp; more',
    '<div aria-labelledby="a" class="b c" tabindex="-1"><button type="button" class="d"></button><img class="e" /></div>',
    '<select class="a" id="a"></select><h2 class="b" id="b"></h2>',
  ]) {
    t.ok(isInertMarkup(text), text);
  }
});

t.test('markup that runs, loads, frames or navigates is not inert', async (t) => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src="x">',
    '<img src=x onerror=alert(1)>',
    '<div onclick="alert(1)">',
    '<div class="a" onclick="alert(1)">',
    '<div class=a>',
    "<div class='a'>",
    '<svg/onload=alert(1)>',
    '<svg onload="alert(1)">',
    '<iframe srcdoc="x"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<form action="//evil"><button formaction="//evil">',
    '<div style="background:url(//evil)">',
    '<style>*{}</style>',
    '<base href="//evil">',
    '<meta http-equiv="refresh" content="0">',
    '<!-- --><div>',
    '<div',
    '< div>',
    '<SCRIPT>',
  ]) {
    t.notOk(isInertMarkup(text), text);
  }
});
