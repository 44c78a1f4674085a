import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { videoSource } from './video-link.ts';

const page = { origin: 'https://pictures.example', hostname: 'pictures.example' };
const source = (text: string) => videoSource(text, page);

function table(name: string, rows: Record<string, string | null>) {
  t.test(name, async (t) => {
    for (const [text, wanted] of Object.entries(rows)) t.equal(source(text), wanted, encodeURI(text));
  });
}

const youtube = 'https://www.youtube.com/embed';
table('a YouTube page link becomes its embed link, rebuilt from the id alone', {
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ': `${youtube}/dQw4w9WgXcQ`,
  'http://www.youtube.com/watch?v=ABC12302&list=abc123&index=2&feature=plpp_video': `${youtube}/ABC12302`,
  'https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ': `${youtube}/dQw4w9WgXcQ`,
  'https://music.youtube.com/watch?v=dQw4w9WgXcQ': `${youtube}/dQw4w9WgXcQ`,
  'http://youtube.com/?v=ABC12308&feature=youtube_gdata_player': `${youtube}/ABC12308`,
  'http://youtube.com/watch?vi=ABC12311': `${youtube}/ABC12311`,
  'http://youtube.com/watch/ABC12302?feature=youtube_gdata_player': `${youtube}/ABC12302`,
  'http://youtube.com/vi/G-3YxlZIhus&feature=channel': `${youtube}/G-3YxlZIhus`,
  'http://www.youtube.com/v/ABC1230': `${youtube}/ABC1230`,
  'https://www.youtube.com/e/E1230': `${youtube}/E1230`,
  'https://youtube.com/shorts/123?i=4': `${youtube}/123`,
  'https://www.youtube.com/live/dQw4w9WgXcQ?feature=share': `${youtube}/dQw4w9WgXcQ`,
  'http://www.youtube.com/embed/ABC12302?rel=0': `${youtube}/ABC12302`,
  'http://www.youtube.com/user/username#p/u/1/ABC12302?rel=0': `${youtube}/ABC12302`,
  'https://youtube.com/user/WMFinland#p/a/u/1/G-3YxlZIhus': `${youtube}/G-3YxlZIhus`,
  'http://www.youtube.com/attribution_link?a=f&u=/watch?v=ABC12304&feature=em-uploademail': `${youtube}/ABC12304`,
  'http://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3DABC12300%26feature%3Dshare&a=J': `${youtube}/ABC12300`,
  'http://www.youtube-nocookie.com/v/ABC12301': 'https://www.youtube-nocookie.com/embed/ABC12301',
  'www.youtube-nocookie.com/embed/ABC12301?rel=0': 'https://www.youtube-nocookie.com/embed/ABC12301',
  'https://youtu.be/dQw4w9WgXcQ?si=x': `${youtube}/dQw4w9WgXcQ`,
  'youtu.be/P1230': `${youtube}/P1230`,
  'www.youtube.com/e/E1232': `${youtube}/E1232`,
  '  https://youtu.be/dQw4w9WgXcQ\n': `${youtube}/dQw4w9WgXcQ`,
  'https://www.youtube.com/playlist?list=PL123': `${youtube}/videoseries?list=PL123`,
});
const preview = 'https://drive.google.com/file/d/1aB-cD_eFgHiJkLmN/preview';
table('a link to a video on Google Drive becomes its preview', {
  'https://drive.google.com/file/d/1aB-cD_eFgHiJkLmN/view?usp=sharing': preview,
  'https://drive.google.com/file/d/1aB-cD_eFgHiJkLmN/view?usp=drive_link&resourcekey=0-xY_z': `${preview}?resourcekey=0-xY_z`,
  'https://drive.google.com/file/d/1aB-cD_eFgHiJkLmN': preview,
  'https://drive.google.com/file/u/1/d/1aB-cD_eFgHiJkLmN/edit': preview,
  'drive.google.com/file/d/1aB-cD_eFgHiJkLmN/preview': preview,
  'https://drive.google.com/open?id=1aB-cD_eFgHiJkLmN': preview,
  'https://drive.google.com/uc?export=download&id=1aB-cD_eFgHiJkLmN': preview,
  'https://docs.google.com/file/d/1aB-cD_eFgHiJkLmN/edit': preview,
  'https://drive.google.com/drive/folders/1aB-cD_eFgHiJkLmN':
    'https://drive.google.com/drive/folders/1aB-cD_eFgHiJkLmN',
});
table('an embed code becomes the address in it', {
  '<iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ?si=x" title="a" allowfullscreen></iframe>': `${youtube}/dQw4w9WgXcQ`,
  "<div><iframe data-src='no' src='//player.vimeo.com/video/1230?h=a1b2&amp;title=0'></iframe></div><p>by</p>":
    'https://player.vimeo.com/video/1230?h=a1b2',
  '<IFRAME SRC=https://media.example/player?a=1&amp;b=2></IFRAME>': 'https://media.example/player?a=1&b=2',
  '<iframe src="https://drive.google.com/file/d/1aB-cD_eFgHiJkLmN/preview" width="640"></iframe>': preview,
  '<video controls><source src="https://media.example/film.mp4" type="video/mp4"></video>':
    'https://media.example/film.mp4',
  '<iframe src="javascript:alert(1)"></iframe>': null,
  '<iframe src="https://pictures.example/dashboard"></iframe>': null,
  '<iframe srcdoc="<p>https://media.example</p>"></iframe>': null,
  '<b>bold</b>': null,
});
table('a start time is kept', {
  'https://youtu.be/dQw4w9WgXcQ?t=90': `${youtube}/dQw4w9WgXcQ?start=90`,
  'https://www.youtube.com/watch?v=G-3YxlZIhus#t=0m10s': `${youtube}/G-3YxlZIhus?start=10`,
  'https://www.youtube.com/watch?v=G-3YxlZIhus&t=1h2m3s': `${youtube}/G-3YxlZIhus?start=3723`,
  'https://www.youtube.com/embed/G-3YxlZIhus?start=7': `${youtube}/G-3YxlZIhus?start=7`,
  'https://www.youtube.com/watch?v=G-3YxlZIhus&t=javascript:1': `${youtube}/G-3YxlZIhus`,
  'https://www.vimeo.com/140542479#t=0m3s': 'https://player.vimeo.com/video/140542479#t=3s',
});
table('a Vimeo page link becomes its player link, an unlisted one with its hash', {
  'https://vimeo.com/1230897': 'https://player.vimeo.com/video/1230897',
  'https://vimeo.com/123450987/a1b2c3': 'https://player.vimeo.com/video/123450987?h=a1b2c3',
  'https://player.vimeo.com/video/1230?h=a1b2&title=0': 'https://player.vimeo.com/video/1230?h=a1b2',
  'https://www.player.vimeo.com/video/176337266?color=ffffff': 'https://player.vimeo.com/video/176337266',
  'https://vimeo.com/channels/staff/1234': 'https://player.vimeo.com/video/1234',
  'https://vimeo.com/groups/name/videos/123456': 'https://player.vimeo.com/video/123456',
  'https://vimeo.com/album/1/video/2': 'https://player.vimeo.com/video/2',
  'https://vimeo.com/user27750098': 'https://vimeo.com/user27750098',
});
const dailymotion = 'https://www.dailymotion.com/embed/video';
table('a Dailymotion link becomes its embed link', {
  'http://www.dailymotion.com/video/x44lvd_rates-of-exchange_music': `${dailymotion}/x44lvd`,
  'https://www.dailymotion.com/video/x82nygx?playlist=x5nmbq': `${dailymotion}/x82nygx`,
  'http://www.dailymotion.com/hub/x9q_Galatasaray#video=xjw21s': `${dailymotion}/xjw21s`,
  'http://www.dailymotion.com/fr/relevance/search/gangnam+style/1#video=xsbwie': `${dailymotion}/xsbwie`,
  'https://www.dailymotion.com/embed/video/x82nygx?autoplay=1': `${dailymotion}/x82nygx`,
  'https://dai.ly/x82nygx': `${dailymotion}/x82nygx`,
  'https://geo.dailymotion.com/player/xabc.html?video=x82nygx': `${dailymotion}/x82nygx`,
});
const by = 'parent=pictures.example';
table('a Twitch link becomes its player link and names the page that frames it', {
  'https://www.twitch.tv/videos/123456?t=1m5s': `https://player.twitch.tv/?video=v123456&${by}&time=65s`,
  'https://m.twitch.tv/somebody': `https://player.twitch.tv/?channel=somebody&${by}`,
  'https://clips.twitch.tv/Some-Slug_1': `https://clips.twitch.tv/embed?clip=Some-Slug_1&${by}`,
  'https://clips.twitch.tv/embed?clip=Slug&parent=evil.example': `https://clips.twitch.tv/embed?clip=Slug&${by}`,
  'https://www.twitch.tv/somebody/clip/Slug?filter=clips': `https://clips.twitch.tv/embed?clip=Slug&${by}`,
  'https://player.twitch.tv/?channel=somebody&parent=evil.example': `https://player.twitch.tv/?channel=somebody&${by}`,
  'https://www.twitch.tv/directory': 'https://www.twitch.tv/directory',
});
table('any other http or https URL is kept as it is', {
  'https://example.com/film.mp4': 'https://example.com/film.mp4',
  'http://example.com/a/b.webm?x=1#t=5': 'http://example.com/a/b.webm?x=1#t=5',
  'https://player.example.com/embed/half-dome': 'https://player.example.com/embed/half-dome',
  'https://loom.com/embed/123456?source=embed&t=20#foo': 'https://loom.com/embed/123456?source=embed&t=20#foo',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ': 'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://evil.example/youtu.be/dQw4w9WgXcQ': 'https://evil.example/youtu.be/dQw4w9WgXcQ',
  'https://constructor/x': 'https://constructor/x',
});
table('only http and https URLs reach the frame', {
  '': null,
  '   ': null,
  hello: null,
  'javascript:alert(1)': null,
  'JaVaScRiPt://youtube.com/%0aalert(1)': null,
  'java\tscript:alert(1)': null,
  'ht\ntps://youtu.be/dQw4w9WgXcQ': null,
  '\u0001javascript:alert(1)': null,
  'data:text/html,<script>alert(0)</script>': null,
  'blob:https://pictures.example/1': null,
  'vbscript:msgbox(1)': null,
  'file:///etc/passwd': null,
  'about:blank': null,
  'youtube://1234': null,
  '//evil.example/x': null,
  '/dashboard/upload': null,
  'https:evil.example': null,
  'https:/\\evil.example': null,
  'https://': null,
  'https:///evil.example': null,
  'https://\\\\evil.example': null,
  'https://evil\t.example/': null,
  'https://evil.example/\u2028x': null,
  'https://you\ntube.com/watch?v=dQw4w9WgXcQ': null,
  'https://user@evil.example/': null,
  'https://www.youtube.com:secret@evil.example/watch?v=dQw4w9WgXcQ': null,
  'example.com/film.mp4': null,
});
table("the app's own URLs never reach the frame", {
  'https://pictures.example/dashboard/upload': null,
  'https://pictures.example:443/i/x.svg': null,
  'HTTPS://PICTURES.EXAMPLE/': null,
});

const corpus = path.resolve('../shared/corpus');
const lines = (file: string) => readFileSync(path.join(corpus, file), 'utf8').split('\n').filter(Boolean);
const skip = existsSync(corpus) ? false : 'the corpus is missing';

t.test('every hostile scheme of the corpus is refused', { skip }, async (t) => {
  for (const line of lines('list_hostile_url_schemes.txt')) t.equal(source(line), null, line);
});
t.test('every link of the corpus is an http address or refused', { skip }, async (t) => {
  for (const line of lines('list_video_urls.txt')) {
    const result = source(line);
    if (/^[a-z]+:/i.test(line) && !/^https?:\/\//i.test(line)) t.equal(result, null, line);
    else t.match(result, /^https?:\/\//i, line);
  }
});
