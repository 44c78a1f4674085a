import { abuse } from '../../testing/abuse.ts';
import { call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

const paths =
  '/metrics /status /server-status /debug /debug/pprof /.env /.env.local /.env.example /.git/HEAD /.git/config /.gitignore /.svn/entries /.htaccess /.DS_Store /.well-known/security.txt.bak /package.json /package-lock.json /tsconfig.json /Dockerfile /docker-compose.yml /data /data/jwt-secret /jwt-secret /files /files/originals /build /server/main.js /server.js /node_modules/fastify/package.json /src/main.tsx /main.tsx /vite.config.ts /config.json /config.php /phpinfo.php /wp-login.php /wp-admin/ /admin /administrator /phpmyadmin /actuator/env /actuator/heapdump /console /graphql /api /api/ /api/docs /api/users /api/admin /api/health /api/health/metrics /swagger.json /openapi.json /documentation /backup.zip /backup.sql /dump.sql /db.sqlite /id_rsa /crossdomain.xml /elmah.axd /trace.axd /login.bak /index.html~ /index.html.map /assets/ /assets/index.js.map /boot.js.map /manifest.map'.split(
    ' ',
  );

abuse('A32', 'paths beside the page, its assets and the API answer 404', async (t) => {
  const { origin } = await serve(t);
  const missing = await call(origin, '/surely-not-there');
  t.equal(missing.status, 404);
  for (const path of paths) {
    const answer = await call(origin, path);
    t.equal(answer.status, 404, path);
    if (!/json/.test(answer.headers['content-type'] ?? ''))
      t.equal(answer.body, missing.body, `${path}: the same 404 page`);
  }
});

abuse('A32', 'the page’s assets have no source maps', async (t) => {
  const { origin } = await serve(t);
  const page = (await call(origin, '/login')).body;
  const parts = new Set(page.match(/\/[\w./-]+\.(?:js|css)/g));
  for (const part of [...parts]) {
    const { body } = await call(origin, part);
    for (const [, other] of body.matchAll(/["'`](?:\.\/|\/?assets\/)([\w.-]+\.(?:js|css))["'`]/g))
      parts.add(`/assets/${other}`);
  }
  t.ok(parts.size > 2, `${parts.size} parts`);
  for (const part of parts) {
    const { status, body } = await call(origin, part);
    t.equal(status, 200, part);
    t.notMatch(body, /sourceMappingURL/, part);
    t.equal((await call(origin, `${part}.map`)).status, 404, `${part}.map`);
  }
});
