type Token = { from: number; to: number } & (
  | { kind: 'open' | 'empty'; name: string /** Start of the attributes. */; named: number }
  | { kind: 'close'; name: string }
  | { kind: 'text' | 'cdata' | 'other' }
);

/** From the space before the name to the closing quote. */
type Attribute = { name: string; from: number; to: number; value: [from: number, to: number] };

const NAME = /[^\s<>/="'!?&]+/y;
const ATTRIBUTE = /[ \t\r\n]+([^\s<>/="'&]+)[ \t\r\n]*=[ \t\r\n]*(?:"[^<"]*"|'[^<']*')/y;
const END = /[ \t\r\n]*(\/?)>/y;
const IN_DOCTYPE = /"[^"]*"|'[^']*'|<!--|<\?|[[\]>]/g;

/** Tokenizes a document. @throws RangeError for invalid XML, since decoders may read it differently */
export function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at);
    const from = open < 0 ? text.length : open;
    if (from > at) yield { kind: 'text', from: at, to: from };
    if (open < 0) return;
    const token = tokenAt(text, from);
    yield token;
    at = token.to;
  }
}

function tokenAt(text: string, from: number): Token {
  if (text.startsWith('<!--', from)) return { kind: 'other', from, to: after(text, '-->', from + 4) };
  if (text.startsWith('<![CDATA[', from)) return { kind: 'cdata', from, to: after(text, ']]>', from) };
  if (text.startsWith('<?', from)) return { kind: 'other', from, to: after(text, '?>', from) };
  if (text.startsWith('<!', from)) return { kind: 'other', from, to: doctypeEnd(text, from + 2) };
  const closing = text.startsWith('/', from + 1);
  const name = matchAt(NAME, text, from + (closing ? 2 : 1))[0];
  const named = from + (closing ? 2 : 1) + name.length;
  if (closing) return { kind: 'close', name, from, to: named + matchAt(END, text, named)[0].length };
  let at = named;
  for (ATTRIBUTE.lastIndex = at; ATTRIBUTE.test(text); ) at = ATTRIBUTE.lastIndex;
  const [end, slash] = matchAt(END, text, at);
  return { kind: slash === '/' ? 'empty' : 'open', name, named, from, to: at + end.length };
}

export function* attributesOf(text: string, { named }: { named: number }): Generator<Attribute> {
  const attribute = new RegExp(ATTRIBUTE);
  attribute.lastIndex = named;
  for (let from = named, found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    const to = attribute.lastIndex;
    const start = from + found[0].indexOf(text[to - 1] ?? '"', found[0].indexOf('=')) + 1;
    yield { name: found[1] ?? '', from, to, value: [start, to - 1] };
    from = to;
  }
}

function doctypeEnd(text: string, from: number): number {
  const mark = new RegExp(IN_DOCTYPE);
  mark.lastIndex = from;
  let inside = false;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [what] = found;
    if (what === '<!--') mark.lastIndex = after(text, '-->', mark.lastIndex);
    else if (what === '<?') mark.lastIndex = after(text, '?>', mark.lastIndex);
    else if (what === '[' || what === ']') inside = what === '[';
    else if (what === '>' && !inside) return mark.lastIndex;
  }
  throw new RangeError('no XML');
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new RangeError('no XML');
  return at + mark.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new RangeError('no XML');
  return found;
}
